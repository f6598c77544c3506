import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// A batch that is not committed yet, in temporary files that no reader sees.
///
/// If the batch is not committed, the temporary files are removed.
final class Staging {
  private static let suffix = ".staged"

  private let folder: EntryFolder
  private var steps: [PendingBatch.Step] = []
  /// Whether the temporary files must remain, because they are in place or a commit record that may
  /// be on the disk names them.
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

  /// Writes and flushes the temporary file of one change.
  ///
  /// - Throws: an error for every condition that would make the change fail after the commit.
  func add(_ change: StorageChange) throws(StorageError) {
    let file = try folder.file(for: change.name)
    switch change {
    case .remove:
      try rejectFolder(at: file, creating: false)
      steps.append(.remove(file: file))
    case .set(_, let bytes):
      try rejectFolder(at: file, creating: true)
      // The file is closed immediately, because a batch may have more files than a process may have
      // open. So its lock cannot protect it from sweeps by other stores in this folder. Its name
      // protects it.
      let temporary = try TemporaryFile(
        in: folder.root, owner: folder.owner, suffix: Self.suffix)
      steps.append(.set(file: file, temporary: temporary.name))
      try folder.copyMode(of: file, on: temporary.file)
      try temporary.file.write(bytes)
      try temporary.file.synchronize()
    }
  }

  /// Commits the batch: with one rename for one file, with the commit record for more.
  ///
  /// - Parameter announce: a closure that is called right before the first change that others can
  ///   see.
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
    // From now on, a power failure may leave the record on the disk, which then needs its temporary
    // files.
    isNeeded = true
    do throws(StorageError) {
      try folder.root.synchronize()
    } catch {
      isNeeded = !folder.undoCommit(under: lock)
      // The error reports a change in place only if the record could not be removed.
      let isInPlace = try Folder.hasEntry(PendingBatch.fileName, in: folder.root)
      throw isInPlace ? error.afterChange("the batch", of: folder.path) : error
    }
    // The batch is committed, and readers see it through its record. If this writer cannot finish
    // it, the next one does.
    if let isComplete = try? folder.finish(batch, under: lock), !isComplete {
      throw EntryFolder.missingTemporaryFile(in: folder.path)
    }
  }

  /// Throws if the file of a change is a folder, because a step must not fail after the commit for
  /// a reason that can be detected before it.
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
