import Dispatch
import Synchronization
import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An open store among threads and processes: who may write now, and when to look for what others wrote.
///
/// Who writes holds `writer`, and waits there for other processes; readers need `state` alone, and so wait for no other process.
final class SharedStore: Sendable {
  private struct State: ~Copyable {
    var store: OpenStore
    /// Whether the lock between processes is held; changed under `writer` alone.
    var isLocked = false
    var lastLook: Int64 = 0
    /// The journal's size when a checkpoint last failed: on a full disk, not every write should try again.
    var failedCheckpoint = 0
  }

  /// How large, in bytes, a journal may grow however small the snapshot is: replaying it takes some milliseconds.
  private static let smallJournal = 8 << 20
  /// How long the lock is kept beyond a write.
  private static let lease = DispatchTimeInterval.milliseconds(5)
  /// How old, in nanoseconds, what is read may be compared with what other processes wrote.
  private static let staleness: Int64 = 5_000_000
  private static let flags = O_RDWR

  let files: StoreFiles
  let format: any SnapshotFormat
  private let writer: Mutex<FileLock>
  private let state: Mutex<State>
  private let lockTimeout: Duration
  private let durability: Durability

  init(
    _ files: StoreFiles, _ format: any SnapshotFormat, durability: Durability,
    lockTimeout: Duration
  ) throws(StorageError) {
    self.files = files
    self.format = format
    self.lockTimeout = lockTimeout
    self.durability = durability
    let folder = Folder.parent(of: files.snapshot)
    try Folder.create(folder)
    let lock = try FileLock(at: files.lock)
    try lock.lock(timeout: lockTimeout)
    try TemporaryFile.sweep(try Folder.open(folder))
    try files.begin(format)
    var store = try OpenStore.open(files, format, Self.flags)
    try store.journal.cut()
    lock.unlock()
    state = Mutex(State(store: store))
    writer = Mutex(lock)
  }

  func read(_ name: String) throws(StorageError) -> Data? {
    try current { $0.store.values[name] }
  }

  /// All that the store holds now; later writes do not show in it.
  func values() throws(StorageError) -> [String: Data] {
    try current { $0.store.values }
  }

  func apply(_ changes: [Change]) throws(StorageError) {
    let record = try JournalRecord.encode(changes)
    try writer.withLock { (lock) throws(StorageError) in
      try hold(lock)
      try state.withLock { (state) throws(StorageError) in
        try state.store.journal.append(record, durability)
        for change in changes { state.store.remember(change) }
        checkpointIfDue(&state, lock)
      }
    }
  }

  /// Before a store is closed: leaves little to replay to the next opener, or nothing where other tools will look.
  func close() {
    let limit = format.isForOtherTools ? 0 : 1 << 16
    if files.journalByteCount > limit { try? checkpoint() }
    letGo()
  }

  /// Writes all values into the snapshot, if the journal has any.
  func checkpoint() throws(StorageError) {
    try writer.withLock { (lock) throws(StorageError) in
      try hold(lock)
      try state.withLock { (state) throws(StorageError) in
        if !state.store.journal.isEmpty { try Self.checkpoint(&state, lock) }
      }
    }
  }

  private static func checkpoint(
    _ state: inout State, _ lock: borrowing FileLock
  ) throws(StorageError) {
    do throws(StorageError) {
      try state.store.checkpoint(flags)
    } catch {
      // The new files may be in place already: the next write has to look for them before it writes.
      letGo(&state, lock)
      state.lastLook = 0
      throw error
    }
  }

  /// A checkpoint costs as much as the snapshot is large, so the journal may grow to several times that first.
  private func checkpointIfDue(_ state: inout State, _ lock: borrowing FileLock) {
    let size = state.store.journal.end
    guard size > Self.smallJournal, size > 2 * state.failedCheckpoint,
      size > 4 * files.snapshotByteCount
    else { return }
    // The write itself is safe in the journal, so its caller need not hear of a failure.
    do throws(StorageError) {
      try Self.checkpoint(&state, lock)
      state.failedCheckpoint = 0
    } catch {
      state.failedCheckpoint = size
    }
  }

  // MARK: Other processes

  /// How often another opener was seen to have written; `immediately` looks even if it looked a moment ago.
  func outsideChanges(immediately: Bool) -> UInt64 {
    state.withLock { state in
      if immediately { state.lastLook = 0 }
      try? Self.look(&state)
      return state.store.outsideChanges
    }
  }

  /// Takes the lock for a lease, and takes in what others wrote while this process did not hold it.
  private func hold(_ lock: borrowing FileLock) throws(StorageError) {
    if state.withLock({ $0.isLocked }) { return }
    try lock.lock(timeout: lockTimeout)
    do throws(StorageError) {
      try state.withLock { (state) throws(StorageError) in
        if try state.store.refresh(Self.flags) { try state.store.journal.cut() }
        state.isLocked = true
      }
    } catch {
      lock.unlock()
      throw error
    }
    // The timer keeps the store alive until then: a weak reference would slow down every read.
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.lease) { self.letGo() }
  }

  /// Ends the lease.
  private func letGo() {
    writer.withLock { lock in state.withLock { state in Self.letGo(&state, lock) } }
  }

  private static func letGo(_ state: inout State, _ lock: borrowing FileLock) {
    guard state.isLocked else { return }
    state.isLocked = false
    lock.unlock()
  }

  /// Runs `body` on what the store holds, others' writes included.
  private func current<Result: Sendable>(
    _ body: (borrowing State) -> Result
  ) throws(StorageError) -> Result {
    do throws(StorageError) {
      return try state.withLock { (state) throws(StorageError) in
        try Self.look(&state)
        return body(state)
      }
    } catch  where error.code == .corrupted {
      // A batch that is being cut off and written over looks like damage: with the lock it can be told apart.
      try writer.withLock { (lock) throws(StorageError) in try hold(lock) }
      return state.withLock { body($0) }
    }
  }

  private static func look(_ state: inout State) throws(StorageError) {
    if state.isLocked { return }
    let now = Platform.coarseNow()
    guard now - state.lastLook > staleness else { return }
    _ = try state.store.refresh(flags)
    state.lastLook = now
  }
}
