import Synchronization
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// A writer of the folder of a store, which excludes
/// the writers of all other threads and processes.
///
/// A batch of one file is committed by one rename or removal. A larger batch is first written to
/// temporary files, committed as soon as its commit record is in place, and then moved into place
/// file by file. The next writer finishes the batch of a killed writer.
final class FolderWriter: Sendable {
  private struct State: ExternalChangeDetector, ~Copyable {
    /// A second descriptor of the lock file, so that its counters can be read without waiting for a
    /// writer.
    let counters: Descriptor
    /// The number of ended writes that are not external changes: those of this instance of the
    /// store, and those before the instance was opened.
    var ownChanges: UInt64
    var counts = ChangeCount()
    var externalChanges = ExternalChangeCounter()
    /// A counter that is incremented when a write of this instance of the store begins and when it
    /// ends, so that it is odd during a write.
    var activity: UInt64 = 0

    mutating func readExternalChanges() throws(StorageError) {
      let isWriting = !activity.isMultiple(of: 2)
      counts.update(
        to: try FileLock.writeCounts(in: counters), own: ownChanges, isWriting: isWriting)
      externalChanges.value = counts.value
    }
  }

  private let folder: EntryFolder
  /// The lock that every writer of the folder acquires.
  let lock: StoreLock
  private let state: Mutex<State>

  /// Opens a folder for writing.
  ///
  /// Checks the marker file that identifies the store, flushes the directory entries of the folder,
  /// removes the temporary files of killed writers, and finishes a pending batch. A batch that
  /// cannot be finished, such as on a full disk, remains pending until the next write. All
  /// acknowledged values can still be read.
  ///
  /// - Parameter isAdopting: whether to accept a folder that contains files but no store.
  init(
    _ folder: EntryFolder, timeout: Duration, adoptingExistingFiles isAdopting: Bool,
    backend name: String
  ) throws(StorageError) {
    self.folder = folder
    // Check this before the first file is created, so that a rejected folder is not changed.
    if try StoreMarker.suffix(in: folder.root) != nil {
      try StoreMarker.check(folder.suffix, in: folder.root)
    } else if !isAdopting {
      try StoreMarker.rejectForeignFiles(in: folder.root)
    }
    let lock = try FileLock(EntryFolder.lockName, in: folder.root)
    try lock.lock(timeout: timeout)
    let isNew = try StoreMarker.suffix(in: folder.root) == nil
    // Flush before the sweep: a commit record whose removal was not flushed needs its temporary
    // files.
    try Folder.synchronizeStore(in: folder.root, isNew: isNew)
    // Sweep before the batch is finished, because the sweep may free the space that the batch
    // needs.
    try TemporaryFile.sweep(folder.root)
    try Self.reserveCounters(of: lock, isNew: isNew)
    try StoreMarker.ensure(folder.suffix, in: folder.root)
    if try folder.finishPending(under: lock) == nil { try folder.sweep(under: lock) }
    let changes = try lock.count(.changes)
    lock.unlock()
    let counters = try Descriptor(
      opening: EntryFolder.lockName, in: folder.root, O_RDONLY | O_NOFOLLOW)
    // Count all changes so far as own ones, because the instance has not read any value yet.
    state = Mutex(State(counters: counters, ownChanges: changes))
    self.lock = StoreLock(lock, timeout: timeout, backend: name)
  }

  /// Reserves the space of the counters in the lock file.
  ///
  /// The lock file of an existing store may lack the space of a counter, because an earlier version
  /// of the toolkit created it. If the disk is full, such a store opens without an error. For a new
  /// store (`isNew`), every error is thrown.
  private static func reserveCounters(
    of lock: borrowing FileLock, isNew: Bool
  ) throws(StorageError) {
    do throws(StorageError) { try lock.reserveCounters() } catch {
      if isNew || error.code != .full { throw error }
    }
  }

  /// Applies the changes as one atomic batch.
  func apply(_ changes: [StorageChange]) throws(StorageError) {
    try write { (lock, announce) throws(StorageError) in
      let staged = StagedBatch(folder)
      // If several changes have the same name, only the last one counts.
      var seen = Set<ExactString>()
      for change in changes.reversed() where seen.insert(change.name.exact).inserted {
        try staged.add(change)
      }
      try staged.commit(under: lock, announce: announce)
    }
  }

  /// Replaces the file of an entry with the temporary file `temporary`, which the caller has
  /// written and flushed.
  func replace(_ file: String, with temporary: String) throws(StorageError) {
    try write { (_, announce) throws(StorageError) in
      try announce()
      try folder.performAndFlush(.set(file: file, temporary: temporary))
    }
  }

  /// Finishes any pending batch, then runs `body` under the writer lock.
  ///
  /// `body` must call `announce` immediately before its first change that is visible to other
  /// instances of the store.
  private func write(
    _ body: (
      _ lock: borrowing FileLock, _ announce: () throws(StorageError) -> Void
    ) throws(StorageError) -> Void
  ) throws(StorageError) {
    try lock.withLock { (lock) throws(StorageError) in
      state.withLock { $0.activity &+= 1 }
      defer { state.withLock { $0.activity &+= 1 } }
      if let error = try folder.finishPending(under: lock) { throw error }
      var counts = try lock.writeCounts()
      if counts.isUnfinished || folder.needsFlush.load(ordering: .relaxed) {
        try folder.cleanUp(under: lock)
        counts = try lock.writeCounts()
      }
      defer { end(after: counts, under: lock) }
      try body(lock) { () throws(StorageError) in
        try folder.announce(after: counts, under: lock)
      }
    }
  }

  /// Records the end of a write in the lock file, so that other instances of the store read its
  /// changes.
  ///
  /// The end of a failed write is recorded as well, because the write may have changed values
  /// before it failed. If the end cannot be recorded, nothing is thrown, because the changes are in
  /// place. In this case, and if the last flush must be repeated, the lock file marks a write as
  /// unfinished, so that the next writer cleans up.
  private func end(after counts: FileLock.WriteCounts, under lock: borrowing FileLock) {
    state.withLock { state in
      if (try? lock.endWrite(after: counts)) != nil { state.ownChanges &+= 1 }
    }
    guard folder.needsFlush.load(ordering: .relaxed) else { return }
    if let counts = try? lock.writeCounts() { try? lock.announceWrite(after: counts) }
  }

  /// Returns a number that changes with every write of another instance of the store and, while
  /// such a write is unfinished, whenever the lock file is read.
  func knownChangeCount() -> UInt64 { state.withLock { $0.knownChangeCount() } }

  /// Returns the write counters that an ``ExternalChangeFilter``
  /// compares, read from the disk at every call.
  func changeCounts() throws(StorageError) -> ExternalChangeFilter.Counts {
    try state.withLock { (state) throws(StorageError) in
      try state.refresh()
      return .init(own: state.activity, foreign: state.counts.ended)
    }
  }
}
