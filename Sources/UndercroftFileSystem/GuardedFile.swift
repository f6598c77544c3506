package import UndercroftCore

/// A new file beside the one that it will replace, of which no descriptor is open when it gets its
/// final name.
///
/// For files such as databases, which a library opens by itself and locks by POSIX record locks:
/// closing any descriptor of such a file drops all locks that the process holds on it. (`fcntl`) From
/// the renaming on, any thread may have the file open. A ``TemporaryFile`` beside it, which is never
/// renamed, shows sweepers that the writer lives, so that they need not open the new file either.
package struct GuardedFile: ~Copyable {
  private let temporary: TemporaryFile
  private let folder: Descriptor
  private let target: String
  private let name: String
  private var isCommitted = false

  /// Makes an empty file, readable by its owner alone, with the owner of the file at `path`.
  ///
  /// If the path is a symbolic link, the file that it leads to is replaced and the link stays.
  package init(replacing path: String) throws(StorageError) {
    let path = try FilePath.resolvingLinks(path)
    let folder = try Folder.open(Folder.parent(of: path))
    let target = Folder.name(of: path)
    let temporary = try TemporaryFile(in: folder)
    let name = TemporaryFile.companion(of: temporary.name, "new")
    do throws(StorageError) {
      let file = try Descriptor(opening: name, in: folder, O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW)
      try ReplacementFile.keepModeAndOwner(of: target, in: folder, on: file, 0o600)
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

  /// Where the new file is until it is committed.
  package var path: String { folder.path + "/" + name }

  /// Runs `body` with a descriptor of the new file, which is closed at the end.
  package func withDescriptor<Result>(
    _ body: (borrowing Descriptor) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    let file = try Descriptor(opening: name, in: folder, O_RDWR | O_NOFOLLOW)
    return try body(file)
  }

  /// Flushes the new file, gives it its name unless another file has that name, and flushes the folder.
  ///
  /// - Parameter change: what the error says is in place.
  /// - Returns: whether the new file is in place; `false` if another file has the name.
  /// - Throws: an error which says "is in place" if the last flush fails.
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

  /// Flushes the new file, puts it in the old file's place and flushes the folder.
  ///
  /// - Parameter change: what the error says is in place.
  /// - Throws: an error which says "is in place" if the last flush fails. After any other error the
  ///   old file is in its place.
  package consuming func commit(of change: String) throws(StorageError) {
    try withDescriptor { (file) throws(StorageError) in try file.synchronize() }
    let result = Platform.retrying { renameat(folder.raw, name, folder.raw, target) }
    guard result == 0 else { throw .system("replace", folder.path + "/" + target) }
    isCommitted = true
    try Folder.synchronize(folder, after: change, of: folder.path + "/" + target)
  }
}
