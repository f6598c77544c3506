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
  let files: StoreFiles
  let format: any SnapshotFormat
  private let writer: Mutex<FileLock>?
  /// Why nothing can be written here, where there is no writer.
  private let refusal: StorageError?
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
    let lock: FileLock
    do throws(StorageError) {
      try Folder.create(Folder.parent(of: files.snapshot))
      lock = try FileLock(at: files.lock)
    } catch  where error.code == .accessDenied {
      guard (try? Folder.hasEntry(at: files.journal)) == true else { throw error }
      // A store that may not be written, such as another user's or one on a read-only disk, can still be read.
      state = Mutex(State(store: try OpenStore.open(files, format, O_RDONLY)))
      writer = nil
      refusal = error
      return
    }
    state = Mutex(State(store: try Self.begin(files, format, lock, lockTimeout)))
    writer = Mutex(lock)
    refusal = nil
  }

  private static func begin(
    _ files: StoreFiles, _ format: any SnapshotFormat, _ lock: borrowing FileLock,
    _ timeout: Duration
  ) throws(StorageError) -> OpenStore {
    try lock.lock(timeout: timeout)
    defer { lock.unlock() }
    try TemporaryFile.sweep(try Folder.open(Folder.parent(of: files.snapshot)))
    try files.begin(format)
    var store = try OpenStore.open(files, format, O_RDWR)
    try store.journal.cut()
    return store
  }

  /// Runs `body` as the only writer of this process.
  private func writing(
    _ body: (borrowing FileLock) throws(StorageError) -> Void
  ) throws(StorageError) {
    if let refusal { throw refusal }
    try writer?.withLock { (lock) throws(StorageError) in try body(lock) }
  }

  func read(_ name: String) throws(StorageError) -> Data? {
    do throws(StorageError) {
      return try state.withLock { (state) throws(StorageError) in
        try Self.look(&state)
        return state.store.values[name]
      }
    } catch {
      return try values(despite: error)[name]
    }
  }

  /// All that the store holds now; later writes do not show in it.
  func values() throws(StorageError) -> [String: Data] {
    do throws(StorageError) {
      return try state.withLock { (state) throws(StorageError) in
        try Self.look(&state)
        return state.store.values
      }
    } catch {
      return try values(despite: error)
    }
  }

  func apply(_ changes: [Change]) throws(StorageError) {
    let record = try JournalRecord.encode(changes)
    try writing { (lock) throws(StorageError) in
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
    if refusal == nil, files.journalByteCount > limit { try? checkpoint() }
    letGo()
  }

  /// Writes all values into the snapshot, if the journal has any.
  func checkpoint() throws(StorageError) {
    try writing { (lock) throws(StorageError) in
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
      try state.store.checkpoint()
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
        if try state.store.refresh() { try state.store.journal.cut() }
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
    writer?.withLock { lock in state.withLock { state in Self.letGo(&state, lock) } }
  }

  private static func letGo(_ state: inout State, _ lock: borrowing FileLock) {
    guard state.isLocked else { return }
    state.isLocked = false
    lock.unlock()
  }

  /// Looks again when bytes seem damaged: a batch that is being cut off and written over looks so, and with the lock it can be told apart.
  private func values(despite error: StorageError) throws(StorageError) -> [String: Data] {
    guard error.code == .corrupted, refusal == nil else { throw error }
    try writing { (lock) throws(StorageError) in try hold(lock) }
    return state.withLock { $0.store.values }
  }

  private static func look(_ state: inout State) throws(StorageError) {
    if state.isLocked { return }
    let now = Platform.coarseNow()
    guard now - state.lastLook > staleness else { return }
    _ = try state.store.refresh()
    state.lastLook = now
  }
}
