package import UndercroftCore

/// A new file that will replace another file in the same folder,
/// and that has no open file descriptor during the rename.
///
/// Use this type for files such as databases, which a library opens itself and locks with POSIX
/// record locks (`fcntl`). Closing any file descriptor of such a file releases all locks of the
/// process on the file. After the rename, any thread may open and lock the file. If this type then
/// closed a file descriptor of the file, that thread would lose its locks.
///
/// Beside the new file is a locked ``TemporaryFile``, which is never renamed. Its lock shows
/// ``TemporaryFile/sweep(_:)`` that the writer is alive, so the sweep need not open the new file.
package struct GuardedFile: ~Copyable {
  private let temporary: TemporaryFile
  private let folder: Descriptor
  private let target: String
  private let name: String
  private var isCommitted = false

  /// Creates an empty file with mode 0600 in the folder of `path`, which will replace the file at
  /// `path`.
  ///
  /// If the process runs as the superuser, the new file gets the owner of the file at `path`. If
  /// `path` is a symbolic link, the new file will replace the target, and the link remains.
  package init(replacing path: String) throws(StorageError) {
    let path = try FilePath.resolvingLinks(path)
    let folder = try Folder.open(Folder.parent(of: path))
    let target = Folder.name(of: path)
    let temporary = try TemporaryFile(in: folder)
    let name = TemporaryFile.companion(of: temporary.name, "new")
    do throws(StorageError) {
      let file = try Descriptor(opening: name, in: folder, O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW)
      try ReplacementFile.copyModeAndOwner(of: target, in: folder, on: file, 0o600)
      guard Platform.retrying({ fchmod(file.raw, 0o600) }) == 0 else {
        throw .system("set the mode of", file.path)
      }
    } catch {
      unlinkat(folder.raw, name, 0)
      unlinkat(folder.raw, temporary.name, 0)
      throw error
    }
    self.folder = consume folder
    self.target = target
    self.temporary = consume temporary
    self.name = name
  }

  deinit {
    if !isCommitted { unlinkat(folder.raw, name, 0) }
    unlinkat(folder.raw, temporary.name, 0)
  }

  /// The path of the new file before it is committed.
  package var path: String { folder.path + "/" + name }

  /// Opens the new file, runs `body` with its file descriptor, and closes the descriptor.
  package func withDescriptor<Result>(
    _ body: (borrowing Descriptor) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    let file = try Descriptor(opening: name, in: folder, O_RDWR | O_NOFOLLOW)
    return try body(file)
  }

  /// Flushes the new file, renames it unless another file
  /// has the final name, and flushes the folder.
  ///
  /// - Parameter change: a description of the completed change for the error message, such as "the
  ///   new file".
  /// - Returns: `true` if the new file has the final name, `false` if another file has it.
  /// - Throws: if only the flush of the folder fails, an error whose message says
  ///   that the change is in place, but that a power failure may undo the change.
  package mutating func commitIfAbsent(of change: String) throws(StorageError) -> Bool {
    try withDescriptor { (file) throws(StorageError) in try file.synchronize() }
    guard
      Platform.renameExclusively(name, in: folder.raw, to: target, in: folder.raw) == 0
    else {
      if errno == EEXIST { return false }
      throw .system("create", folder.path + "/" + target)
    }
    isCommitted = true
    try Folder.synchronize(folder, after: change, of: folder.path + "/" + target)
    return true
  }

  /// Flushes the new file, replaces the old file with it, and flushes the folder.
  ///
  /// - Parameter change: a description of the completed change for the error message, such as "the
  ///   new file".
  /// - Throws: if only the flush of the folder fails, an error whose message
  ///   says that the change is in place, but that a power failure may undo
  ///   the change. After any other error, the old file is unchanged.
  package consuming func commit(of change: String) throws(StorageError) {
    try withDescriptor { (file) throws(StorageError) in try file.synchronize() }
    let result = Platform.retrying { renameat(folder.raw, name, folder.raw, target) }
    guard result == 0 else { throw .system("replace", folder.path + "/" + target) }
    isCommitted = true
    try Folder.synchronize(folder, after: change, of: folder.path + "/" + target)
  }
}
