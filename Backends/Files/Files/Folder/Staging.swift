import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A batch on its way to its commit record: temporaries that no reader sees, removed if the batch is refused.
final class Staging {
  private static let suffix = ".staged"

  private let folder: EntryFolder
  private var steps: [PendingBatch.Step] = []
  /// Whether the temporaries are in place, or a commit record names them that may be on the disk.
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

  /// Removes what a writer left that died before its commit; the caller is the only writer, and no batch is pending.
  static func sweep(_ folder: EntryFolder) throws(StorageError) {
    for name in try Folder.names(in: folder.root) where isStaged(name) {
      unlinkat(folder.root.raw, name, 0)
    }
  }

  /// Writes and flushes what one change needs, and finds out now what would fail later.
  func add(_ change: Change) throws(StorageError) {
    let file = try folder.file(for: change.name)
    switch change {
    case .remove:
      try refuseFolder(at: file, making: false)
      steps.append(.remove(file: file))
    case .set(_, let bytes):
      try refuseFolder(at: file, making: true)
      // Closed at once: a batch may have more files than a process may have open. So its lock cannot protect it from
      // sweepers, which other stores in this folder may be; its name does.
      let temporary = try TemporaryFile(
        in: folder.root, owner: folder.owner, suffix: Self.suffix)
      steps.append(.set(file: file, temporary: temporary.name))
      try folder.keepMode(of: file, on: temporary.file)
      try temporary.file.write(bytes)
      try temporary.file.synchronize()
    }
  }

  /// The moment at which the batch holds: one rename for one file, the commit record for more.
  ///
  /// - Parameter announce: called right before the first change that others can see.
  func commit(
    under lock: borrowing FileLock, announce: () throws(StorageError) -> Void
  ) throws(StorageError) {
    if steps.count == 1, let step = steps.first {
      try announce()
      try folder.carryOutForTheFirstTime(step)
      isNeeded = true
      return
    }
    try folder.root.synchronize()
    let batch = PendingBatch(steps)
    try announce()
    try batch.place(in: folder)
    // From here on a power failure may leave the record, which then needs its temporaries.
    isNeeded = true
    do throws(StorageError) {
      try folder.root.synchronize()
    } catch {
      isNeeded = !folder.undoCommit(under: lock)
      // Only if the record could not even be removed.
      let isInPlace = try FileIdentity(PendingBatch.fileName, in: folder.root) != nil
      throw isInPlace ? error.afterChange("the batch", of: folder.path) : error
    }
    // The batch holds, and readers see it through its record; the next writer finishes it if we cannot.
    if let isWhole = try? folder.finish(batch, under: lock), !isWhole {
      throw EntryFolder.vanished(from: folder.path)
    }
  }

  /// After the commit no step may fail for a reason that could be seen before.
  private func refuseFolder(at file: String, making: Bool) throws(StorageError) {
    _ = try folder.within(file, making: making) { (place, name) throws(StorageError) in
      var status = stat()
      guard
        Platform.retrying({ fstatat(place.raw, name, &status, AT_SYMLINK_NOFOLLOW) }) == 0,
        status.st_mode & S_IFMT == S_IFDIR
      else { return }
      throw .system("replace", place.path + "/" + name, number: EISDIR)
    }
  }
}
