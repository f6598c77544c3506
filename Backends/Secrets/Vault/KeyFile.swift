import Crypto
import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A file that holds a key and nothing else.
enum KeyFile {
  static let size = 32

  /// Returns the path of a key file, or the error for a URL that has none.
  static func path(of url: URL) -> Result<String, StorageError> {
    Result { () throws(StorageError) in try FilePath.of(url) }
  }

  /// Makes a new one of random bytes unless there is one, whole or not at all.
  ///
  /// A temporary is renamed, so that a process that is killed leaves no second copy of the key. On
  /// a file system without `RENAME_NOREPLACE` a copy exists for a moment. (`renameat2`)
  static func createIfMissing(_ path: String) throws(StorageError) {
    if try Folder.hasEntry(at: path) { return try flushName(of: path) }
    let folder = Folder.parent(of: path)
    try Folder.create(folder)
    let place = try Folder.open(folder)
    try TemporaryFile.sweep(place)
    let temporary = try TemporaryFile(in: place)
    do throws(StorageError) {
      try temporary.file.write(SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) })
      try temporary.file.synchronize()
      let name = Folder.name(of: path)
      guard
        Platform.renameExclusively(temporary.name, in: place.raw, to: name, in: place.raw) == 0
      else { throw .system("make", path) }
    } catch {
      // The key of this temporary, if it has one, has sealed nothing.
      unlinkat(place.raw, temporary.name, 0)
      // Another process was first, whose key then counts.
      guard (error.underlying as? SystemError)?.number == EEXIST else { throw error }
    }
    try place.synchronize()
  }

  /// Removes what a process that died left beside the key file, and flushes the key's name.
  ///
  /// A key file whose name is not on the disk must open no new vault: a power failure would leave
  /// the vault without its key. A file system that cannot flush a folder, such as a read-only
  /// image, did not just make the name; neither did a process that may not list the folder.
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
        // Another try would fail as well, and a store whose key can be read must stay writable.
        failure.log()
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
        .locked, "cannot unseal: there is no key file \(quoted(path))",
        cure: "put the key file back, or use another of the keys if there are several")
    }
    try SQLiteFile.refuse(at: path)
    let file = try Descriptor(opening: path, O_RDONLY | O_NONBLOCK)
    // Before its mode: whoever named another file by mistake must not be told to change that one.
    let status = try file.status()
    guard status.st_mode & S_IFMT != S_IFREG || status.st_size == size else {
      throw StorageError(
        .wrongKey,
        "cannot use the key file \(quoted(path)): it has \(status.st_size) bytes, not \(size)",
        cure: "put the key file back that was made with the store")
    }
    try PrivateFile.check(file)
    return try file.readAll(limit: size)
  }
}

/// Checks that nobody else can read or write a file.
enum PrivateFile {
  static func check(_ file: borrowing Descriptor) throws(StorageError) {
    let status = try file.status()
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw StorageError(.io, "cannot read \(quoted(file.path)): it is no regular file")
    }
    let mode = String(status.st_mode & 0o777, radix: 8)
    guard status.st_mode & 0o077 == 0 else {
      throw StorageError(
        .insecurePermissions,
        "cannot trust \(quoted(file.path)): others may read or write it (mode \(mode))",
        cure: "chmod 600 it, and change its secrets if others had access")
    }
    guard status.st_uid == geteuid() || geteuid() == 0 else {
      throw StorageError(
        .insecurePermissions, "cannot trust \(quoted(file.path)): it belongs to another user",
        cure: "chown it to the user who runs this program")
    }
  }
}
