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
    var lastLook: Int64 = 0
    var outsideChanges: UInt64 = 0
  }

  private let folder: EntryFolder
  private let lock: StoreLock
  private let state: Mutex<State>

  /// Opens a folder for writing: finishes a pending batch, sweeps what dead writers left, checks the marker.
  init(_ folder: EntryFolder, timeout: Duration) throws(StorageError) {
    self.folder = folder
    let lock = try FileLock(EntryFolder.lockName, in: folder.root)
    try lock.lock(timeout: timeout)
    try StoreMarker.ensure(folder.suffix, in: folder.root)
    try lock.reserveCounters()
    try folder.finishPending(under: lock)
    try TemporaryFile.sweep(folder.root)
    try Staging.sweep(folder)
    let changes = try lock.count(.changes)
    lock.unlock()
    let counters = try Descriptor(
      opening: EntryFolder.lockName, in: folder.root, O_RDONLY | O_NOFOLLOW)
    // All changes so far count as own: they are nothing new to whoever opens the folder now.
    state = Mutex(State(counters: counters, ownChanges: changes))
    self.lock = StoreLock(lock, timeout: timeout)
  }

  /// Applies the changes as a whole.
  func apply(_ changes: [Change]) throws(StorageError) {
    try write { (lock) throws(StorageError) in
      let staged = Staging(folder)
      // Of several changes of one name the last counts.
      var seen = Set<String>()
      for change in changes.reversed() where seen.insert(change.name).inserted {
        try staged.add(change)
      }
      try staged.commit(under: lock)
    }
  }

  /// Puts a written and flushed temporary in the place of an entry.
  func place(_ temporary: String, as name: String) throws(StorageError) {
    let file = folder.file(for: name)
    try write { (_) throws(StorageError) in
      try folder.carryOutForTheFirstTime(.set(file: file, temporary: temporary))
    }
  }

  /// Runs `body` while every writer waits.
  func whileNobodyWrites<Result: Sendable>(
    _ body: () throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    try lock.withLock { (_) throws(StorageError) in try body() }
  }

  /// Runs `body` as the only writer, with no batch pending.
  private func write(
    _ body: (borrowing FileLock) throws(StorageError) -> Void
  ) throws(StorageError) {
    try lock.withLock { (lock) throws(StorageError) in
      try folder.finishPending(under: lock)
      defer { tellOthers(under: lock) }
      try body(lock)
    }
  }

  /// Also after a failure, for it may have come late; and never failing itself, for what was written holds.
  private func tellOthers(under lock: borrowing FileLock) {
    state.withLock { state in
      if (try? lock.advance(.changes)) != nil { state.ownChanges &+= 1 }
    }
  }

  /// How often others have written; looks at the disk at most every few milliseconds.
  func outsideChanges() -> UInt64 {
    state.withLock { state in
      let now = Platform.coarseNow()
      guard now - state.lastLook > 5_000_000 else { return state.outsideChanges }
      state.lastLook = now
      if let changes = try? FileLock.count(.changes, in: state.counters) {
        state.outsideChanges = changes &- state.ownChanges
      }
      return state.outsideChanges
    }
  }
}
