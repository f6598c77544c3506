import Crypto
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation
import UndercroftInspection

/// The creation and reading of files that contain a key and nothing else.
enum KeyFile {
  static let size = 32

  /// Returns the path of a key file, or the error for a URL that is not a file URL.
  static func path(of url: URL) -> Result<String, StorageError> {
    Result { () throws(StorageError) in try FilePath.of(url) }
  }

  /// Creates a key file of 32 random bytes, completely or not at all.
  ///
  /// If the file exists, this function calls ``flushName(of:)`` instead. The
  /// bytes are written to a temporary file, which is then renamed, so that a
  /// killed process leaves no second copy of the key. On a file system without
  /// `RENAME_NOREPLACE`, a second copy exists for a short time. (`renameat2`)
  static func createIfMissing(_ path: String) throws(StorageError) {
    if try Folder.hasEntry(at: path) { return try flushName(of: path) }
    let folder = Folder.parent(of: path)
    try Folder.createDurably(folder)
    let opened = try Folder.open(folder)
    try TemporaryFile.sweep(opened)
    let temporary = try TemporaryFile(in: opened)
    do throws(StorageError) {
      try temporary.file.write(SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) })
      try temporary.file.synchronize()
      let name = Folder.name(of: path)
      guard
        Platform.renameExclusively(temporary.name, in: opened.raw, to: name, in: opened.raw) == 0
      else { throw .system("create", path) }
    } catch {
      // The key in this temporary file, if there is one, has not encrypted anything.
      unlinkat(opened.raw, temporary.name, 0)
      // If another process was faster, its key is used.
      guard (error.underlying as? SystemError)?.number == EEXIST else { throw error }
      try rejectBrokenLink(at: path, in: opened)
    }
    try opened.synchronize()
  }

  /// Throws if the item at `path` is a symbolic link to a file that does not exist.
  ///
  /// The file is not created, because the link may lead to a disk that is not mounted.
  private static func rejectBrokenLink(
    at path: String, in folder: borrowing Descriptor
  ) throws(StorageError) {
    guard let status = try Folder.status(of: Folder.name(of: path), in: folder),
      status.st_mode & S_IFMT == S_IFLNK, try !Folder.hasEntry(at: path)
    else { return }
    throw StorageError(
      .accessDenied,
      """
      cannot create the key file \(quoted(path)): the item at this path is a symbolic link to a file \
      that does not exist
      """,
      suggestion: "correct or remove the link, or pass another path")
  }

  /// Removes the temporary files that killed processes left beside
  /// the key file, and flushes the directory entry of the key file.
  ///
  /// A key file whose directory entry is not on the disk must not be used for a new vault: a power
  /// failure would leave the vault without its key.
  ///
  /// This function does not throw if the file system is read-only or cannot flush a folder, or if
  /// this process cannot open the folder. In these cases, ``createIfMissing(_:)`` cannot create a
  /// key file without an error, so the directory entry is assumed to be an old one.
  static func flushName(of path: String) throws(StorageError) {
    let folder: Descriptor
    do throws(StorageError) {
      folder = try Folder.open(Folder.parent(of: path))
    } catch  where error.code == .accessDenied {
      return
    }
    do throws(StorageError) {
      if let failure = try TemporaryFile.firstFailure(ofSweeping: folder) {
        guard failure.code == .accessDenied else { throw failure }
        // A retry would fail as well, and a store whose key can be read must remain writable.
        failure.reportIssue()
      }
      try folder.synchronize()
    } catch {
      let number = (error.underlying as? SystemError)?.number
      guard number == EINVAL || number == EROFS else { throw error }
    }
  }

  static func read(_ path: String) throws(StorageError) -> Data {
    guard try Folder.hasEntry(at: path) else {
      throw StorageError(
        .locked, "cannot read the key file \(quoted(path)): the file does not exist",
        suggestion: """
          correct the path, restore the key file from a backup, or, if the store is a vault, pass \
          another key of the vault, such as a passphrase
          """,
        underlying: MissingCredentials(isKeyFileGiven: true))
    }
    try SQLiteFile.reject(at: path)
    let file = try Descriptor(opening: path, O_RDONLY | O_NONBLOCK)
    // Check the size before the mode: if the path leads to another file by
    // mistake, the error must not suggest changing the mode of that file.
    let status = try file.status()
    guard status.st_mode & S_IFMT != S_IFREG || status.st_size == size else {
      throw StorageError(
        .wrongKey,
        """
        cannot use the key file \(quoted(path)): the file has \(status.st_size) bytes, but a key \
        file must have \(size) bytes
        """,
        suggestion: """
          pass the path of the key file of this store, or restore the key file from a backup
          """)
    }
    try PrivateFile.check(file)
    return try file.readAll(limit: size)
  }
}

/// The check that a file is a regular file, that its mode gives no access to the group or to other
/// users, and that it belongs to the current user.
///
/// A process of the superuser also accepts a file of another user.
enum PrivateFile {
  static func check(_ file: borrowing Descriptor) throws(StorageError) {
    let status = try file.status()
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw StorageError(
        .io, "cannot read \(quoted(file.path)): the item at this path is not a regular file",
        suggestion: "pass the path of a regular file")
    }
    let mode = String(status.st_mode & 0o777, radix: 8)
    guard status.st_mode & 0o077 == 0 else {
      throw StorageError(
        .insecurePermissions,
        "cannot use \(quoted(file.path)): the file is accessible to other users (mode \(mode))",
        suggestion: """
          run chmod 600 \(quoted(file.path)), and replace the secrets that other users could read
          """)
    }
    guard status.st_uid == geteuid() || geteuid() == 0 else {
      throw StorageError(
        .insecurePermissions,
        """
        cannot use \(quoted(file.path)): the file belongs to the user \(status.st_uid), but this \
        process runs as the user \(geteuid())
        """,
        suggestion: "change the owner of the file to the user who runs this program (chown)")
    }
  }
}
