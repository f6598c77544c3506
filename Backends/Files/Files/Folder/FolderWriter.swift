import Synchronization
import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The one writer of a folder at a time, among threads and processes.
///
/// A batch of one file is one rename. A larger one is staged as temporaries, holds from the moment its commit record is in place, and is then
/// put in place file by file; whoever next takes the lock finishes what a dead writer left.
final class FolderWriter: Sendable {
  private struct State: ~Copyable {
    /// The lock file by a descriptor of its own, so that its counters are read without waiting for a writer.
    let counters: Descriptor
    var ownChanges: UInt64
    var lastRead: Int64 = 0
    var outsideChanges = ChangeCount()
    /// Moves on when a write of this opener begins and when it ends.
    var activity: UInt64 = 0
  }

  private let folder: EntryFolder
  private let lock: StoreLock
  private let state: Mutex<State>

  /// Opens a folder for writing: flushes its names, finishes a pending batch, sweeps what killed writers left, and checks
  /// the marker.
  ///
  /// A batch that cannot be finished, such as on a full disk, stays pending until the next write:
  /// everything that was acknowledged can be read meanwhile.
  ///
  /// - Parameter isAdopting: whether a folder may hold files although no store is there yet.
  init(
    _ folder: EntryFolder, timeout: Duration, adoptingExistingFiles isAdopting: Bool
  ) throws(StorageError) {
    self.folder = folder
    // Before the first file is made, so that a folder that is refused stays as it is.
    if try StoreMarker.suffix(in: folder.root) != nil {
      try StoreMarker.check(folder.suffix, in: folder.root)
    } else if !isAdopting {
      try StoreMarker.refuseForeignFiles(in: folder.root)
    }
    let lock = try FileLock(EntryFolder.lockName, in: folder.root)
    try lock.lock(timeout: timeout)
    let isNew = try StoreMarker.suffix(in: folder.root) == nil
    // Before anything is swept: a commit record whose removal is not on the disk needs its temporaries.
    try Folder.synchronizeStore(in: folder.root, isNew: isNew)
    // Before the batch is finished, because sweeping may free the space for that.
    try TemporaryFile.sweep(folder.root)
    try Self.reserveCounters(of: lock, isNew: isNew)
    try StoreMarker.ensure(folder.suffix, in: folder.root)
    if try folder.finishPending(under: lock) == nil { try folder.sweep(under: lock) }
    let changes = try lock.count(.changes)
    lock.unlock()
    let counters = try Descriptor(
      opening: EntryFolder.lockName, in: folder.root, O_RDONLY | O_NOFOLLOW)
    // All changes so far count as own: they are nothing new to whoever opens the folder now.
    state = Mutex(State(counters: counters, ownChanges: changes))
    self.lock = StoreLock(lock, timeout: timeout)
  }

  /// Reserves the space of the counters.
  ///
  /// A store of an earlier version has no space for the last counter, and must open on a full disk
  /// as well.
  private static func reserveCounters(
    of lock: borrowing FileLock, isNew: Bool
  ) throws(StorageError) {
    do throws(StorageError) { try lock.reserveCounters() } catch {
      if isNew || error.code != .full { throw error }
    }
  }

  /// Applies the changes as a whole.
  func apply(_ changes: [Change]) throws(StorageError) {
    try write { (lock, announce) throws(StorageError) in
      let staged = Staging(folder)
      // Of several changes of one name the last counts.
      var seen = Set<ExactString>()
      for change in changes.reversed() where seen.insert(change.name.exact).inserted {
        try staged.add(change)
      }
      try staged.commit(under: lock, announce: announce)
    }
  }

  /// Puts a written and flushed temporary in the place of an entry's file.
  func place(_ temporary: String, as file: String) throws(StorageError) {
    try write { (_, announce) throws(StorageError) in
      try announce()
      try folder.carryOutForTheFirstTime(.set(file: file, temporary: temporary))
    }
  }

  /// Runs `body` while every other writer waits; errors of the lock itself pass through `wrap`.
  func withExclusiveAccess<Result, Failure: Error>(
    orThrow wrap: (StorageError) -> Failure, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try lock.withLock(orThrow: wrap) { (_) throws(Failure) in try body() }
  }

  /// Runs `body` while the other threads that use this writer wait; errors of the lock itself pass through `wrap`.
  func withThreadLock<Result, Failure: Error>(
    orThrow wrap: (StorageError) -> Failure, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try lock.withThreadLock(orThrow: wrap, body)
  }

  /// Runs `body` as the only writer, with no batch pending; `body` announces its first change that
  /// others can see.
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
        try folder.settle(under: lock)
        counts = try lock.writeCounts()
      }
      defer { end(after: counts, under: lock) }
      try body(lock) { () throws(StorageError) in
        try folder.announce(after: counts, under: lock)
      }
    }
  }

  /// Counts the write for the other openers.
  ///
  /// A failed write is counted as well, because it may have changed something before it failed. An
  /// error of the counting is not thrown, because what was written holds. A write that cannot be
  /// counted, or whose last flush is to be repeated, stays announced.
  private func end(after counts: FileLock.WriteCounts, under lock: borrowing FileLock) {
    state.withLock { state in
      if (try? lock.endWrite(after: counts)) != nil { state.ownChanges &+= 1 }
    }
    guard folder.needsFlush.load(ordering: .relaxed) else { return }
    if let counts = try? lock.writeCounts() { try? lock.announceWrite(after: counts) }
  }

  /// A number that differs after every write of another opener, and at each read of the disk while
  /// one is unfinished; reads the disk at most every few milliseconds.
  func outsideChanges() -> UInt64 {
    state.withLock { state in
      let now = Platform.coarseNow()
      guard now - state.lastRead > 5_000_000 else { return state.outsideChanges.value }
      try? Self.countOutsideChanges(&state)
      return state.outsideChanges.value
    }
  }

  /// What a watch compares: read from the disk at every call.
  func changeCounts() throws(StorageError) -> ForeignChanges.Counts {
    try state.withLock { (state) throws(StorageError) in
      try Self.countOutsideChanges(&state)
      return .init(own: state.activity, foreign: state.outsideChanges.ended)
    }
  }

  private static func countOutsideChanges(_ state: inout State) throws(StorageError) {
    let counts = try FileLock.writeCounts(in: state.counters)
    state.lastRead = Platform.coarseNow()
    let isWriting = !state.activity.isMultiple(of: 2)
    state.outsideChanges.update(to: counts, own: state.ownChanges, isWriting: isWriting)
  }
}
