import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// The temporary files of a batch before its commit; readers do not see these files.
///
/// If the object is released before the commit, it removes the files.
final class StagedBatch {
  private static let suffix = ".staged"

  private let folder: EntryFolder
  private var steps: [PendingBatch.Step] = []
  /// Whether the temporary files must remain, because they were moved into place, or because a
  /// commit record that may be on the disk refers to them.
  private var isNeeded = false

  init(_ folder: EntryFolder) { self.folder = folder }

  deinit {
    if isNeeded { return }
    for case .set(_, let temporary) in steps { unlinkat(folder.root.raw, temporary, 0) }
  }

  static func isStaged(_ name: String) -> Bool {
    name.hasPrefix(".undercroft-") && name.hasSuffix(suffix)
      && !name.utf8.contains(UInt8(ascii: "/"))
  }

  /// Removes the temporary files of a writer that was killed before it committed its batch.
  ///
  /// The caller must be the only writer, and no batch may be pending.
  static func sweep(_ folder: EntryFolder) throws(StorageError) {
    for name in try Folder.names(in: folder.root) where isStaged(name) {
      unlinkat(folder.root.raw, name, 0)
    }
  }

  /// Adds one change to the batch.
  ///
  /// For a new value, writes and flushes a temporary file.
  ///
  /// - Throws: an error if the change would fail after the commit, for example because a
  ///   folder exists at the path of the file, or if the temporary file cannot be written.
  func add(_ change: StorageChange) throws(StorageError) {
    let file = try folder.file(for: change.name)
    switch change {
    case .remove:
      try rejectFolder(at: file, creating: false)
      steps.append(.remove(file: file))
    case .set(_, let bytes):
      try rejectFolder(at: file, creating: true)
      // The file is closed immediately, because a batch may have more
      // files than a process can have open. So its lock cannot protect it
      // from sweeps by other stores in this folder. Its name protects it.
      let temporary = try TemporaryFile(
        in: folder.root, owner: folder.owner, suffix: Self.suffix)
      steps.append(.set(file: file, temporary: temporary.name))
      try folder.copyMode(of: file, on: temporary.file)
      try temporary.file.write(bytes)
      try temporary.file.synchronize()
    }
  }

  /// Commits the batch: a change of one file with one rename or
  /// removal, and changes of several files with the commit record.
  ///
  /// - Parameter announce: a closure that is called immediately before the first change that is
  ///   visible to other instances of the store.
  func commit(
    under lock: borrowing FileLock, announce: () throws(StorageError) -> Void
  ) throws(StorageError) {
    if steps.count == 1, let step = steps.first {
      try announce()
      try folder.performAndFlush(step)
      isNeeded = true
      return
    }
    try folder.root.synchronize()
    let batch = PendingBatch(steps)
    try announce()
    try batch.write(to: folder)
    // After this write, a power failure may leave the record on
    // the disk, and the record then needs its temporary files.
    isNeeded = true
    do throws(StorageError) {
      try folder.root.synchronize()
    } catch {
      isNeeded = !folder.undoCommit(under: lock)
      // The error reports a change in place only if the record could not be removed.
      let isInPlace = try Folder.hasEntry(PendingBatch.fileName, in: folder.root)
      let path = folder.path + "/" + PendingBatch.fileName
      throw isInPlace ? error.afterChange("the batch", of: path) : error
    }
    // The batch is committed, and readers read its values through the
    // record. If this writer cannot finish the batch, the next writer does.
    if let isComplete = try? folder.finish(batch, under: lock), !isComplete {
      throw EntryFolder.missingTemporaryFile(in: folder.path)
    }
  }

  /// Throws if the file of a change is a folder, because a step must not fail after the commit for
  /// a reason that can be detected before it.
  ///
  /// - Parameters:
  ///   - file: the path of the file, relative to the root folder.
  ///   - isCreating: whether to create missing folders of the path.
  private func rejectFolder(at file: String, creating isCreating: Bool) throws(StorageError) {
    _ = try folder.within(file, creating: isCreating) { (parent, name) throws(StorageError) in
      var status = stat()
      guard
        Platform.retrying({ fstatat(parent.raw, name, &status, AT_SYMLINK_NOFOLLOW) }) == 0,
        status.st_mode & S_IFMT == S_IFDIR
      else { return }
      throw .system("replace", parent.path + "/" + name, number: EISDIR)
    }
  }
}
