import Dispatch
import Synchronization
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// An open store that threads and processes share.
///
/// The object acquires the locks, and reads the batches that other processes have written.
///
/// A writer holds the lock of `access`, even during a wait for other processes.
/// Readers need only `state`, so they do not wait for other processes.
final class SharedStore: Sendable {
  /// The access to the store: the locks for writing, or the error
  /// that every write throws because the store can only be read.
  ///
  /// The lock is in a separate object, because comparing an optional mutex
  /// with `nil` would read the mutex while another thread changes it.
  private enum Access: Sendable {
    case writable(Writer)
    case readOnly(StorageError)
  }

  private final class Writer: Sendable {
    /// The lock that excludes other threads of this process.
    ///
    /// An exclusive access holds this lock for several writes.
    let threads: WriterLock
    let lock: Mutex<FileLock>
    /// The queue that ends the leases of this store.
    ///
    /// A lease is the time span for which the store holds the lock between processes after it
    /// acquired the lock.
    ///
    /// Each store has a serial queue, which gets a thread even if all threads
    /// of the shared pool are busy or blocked. With one queue for all stores,
    /// a store that waits for its lock would delay the other stores.
    let leases = DispatchQueue(label: "undercroft.lease")

    init(_ lock: consuming FileLock, timeout: Duration, backend: String) {
      // A thread of the same process may run an edit of the application,
      // which can take longer than a write.
      threads = WriterLock(timeout: max(timeout, .seconds(10)), backend: backend)
      self.lock = Mutex(lock)
    }
  }

  /// The maximum size in bytes that a journal can have
  /// without a checkpoint, even if the snapshot is small.
  ///
  /// Replaying a journal of this size takes a few milliseconds.
  private static let smallJournal = 8 << 20
  /// The time for which this instance of the store holds the lock between processes after it
  /// acquired the lock.
  private static let lease = DispatchTimeInterval.milliseconds(5)
  let files: StoreFiles
  let format: any SnapshotFormat
  private let access: Access
  private let state: Mutex<SharedState>
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
    do throws(StorageError) {
      try Folder.create(Folder.parent(of: files.snapshot))
      let lock = try FileLock(at: files.lock)
      state = Mutex(try Self.begin(files, format, lock, lockTimeout))
      access = .writable(Writer(lock, timeout: lockTimeout, backend: format.name))
    } catch  where error.code == .accessDenied {
      guard (try? Folder.hasEntry(at: files.journal)) == true else { throw error }
      // A store whose lock, journal or folder cannot be written can still be read.
      // It may belong to another user, or be on a read-only disk.
      let store = try OpenStore.open(files, format, O_RDONLY, recovering: true)
      let damage = store.damage
      state = Mutex(SharedState(store: store, damage: damage))
      access = .readOnly(error)
    }
    damage?.reportIssue(backend: format.name)
  }

  private static func begin(
    _ files: StoreFiles, _ format: any SnapshotFormat, _ lock: borrowing FileLock,
    _ timeout: Duration
  ) throws(StorageError) -> SharedState {
    try lock.lock(timeout: timeout)
    defer { lock.unlock() }
    let folder = try Folder.open(Folder.parent(of: files.snapshot))
    try TemporaryFile.sweep(folder)
    try Folder.synchronizeStore(in: folder, isNew: try !Folder.hasEntry(at: files.journal))
    try files.begin(format)
    let store = try OpenStore.open(files, format, O_RDWR, recovering: true)
    let damage = store.damage
    var state = SharedState(store: store, damage: damage)
    state.store.markNamesFlushed()
    // If the disk has no room for the new files, the store can still be read,
    // and the next write tries again.
    try? state.replaceTail()
    return state
  }

  /// Runs `body` while no other thread of this process can write to the store.
  ///
  /// `body` receives the lock between processes, which this function does not acquire.
  ///
  /// - Throws: an error if the store is read-only or if another thread holds the lock longer than
  ///   the timeout, and any error that `body` throws.
  private func writing(
    _ body: (borrowing FileLock) throws(StorageError) -> Void
  ) throws(StorageError) {
    switch access {
    case .readOnly(let error): throw error
    case .writable(let writer):
      try writer.threads.lockRecursively()
      defer { writer.threads.unlock() }
      try writer.lock.withLock { (lock) throws(StorageError) in try body(lock) }
    }
  }

  /// Runs `body` while no other thread and no other process writes to the store.
  ///
  /// If the store cannot be written, `body` runs without a lock.
  func withExclusiveAccess<Result>(_ body: () throws -> Result) throws -> Result {
    guard case .writable(let writer) = access else { return try body() }
    try writer.threads.lockRecursively()
    defer { writer.threads.unlock() }
    try StorageError.naming(backend: format.name) { () throws(StorageError) in
      try writing { (lock) throws(StorageError) in
        try acquireLease(lock)
        state.withLock { $0.exclusiveAccesses += 1 }
      }
    }
    defer { endExclusiveAccess() }
    return try body()
  }

  /// Runs `body` while no other thread of this process writes to the store.
  ///
  /// Other processes are excluded only while a write of `body` runs, and until 5 milliseconds after
  /// the write acquired the lock between processes.
  func withWriterLock<Result>(_ body: () throws -> Result) throws -> Result {
    guard case .writable(let writer) = access else { return try body() }
    try writer.threads.lockRecursively()
    defer { writer.threads.unlock() }
    return try body()
  }

  private func endExclusiveAccess() {
    let isOverdue = state.withLock { state in
      state.exclusiveAccesses -= 1
      return state.exclusiveAccesses == 0 && state.isLeaseOver
    }
    if isOverdue { releaseLease() }
  }

  /// The damage that was found when the store was opened, or `nil` if there was none.
  var damage: StoreDamage? { state.withLock { $0.damage } }

  func read(_ name: String) throws(StorageError) -> Data? {
    do throws(StorageError) {
      return try state.withLock { (state) throws(StorageError) in
        try state.refreshForReading()
        return state.store.values[name.exact]
      }
    } catch {
      return try values(despite: error)[name.exact]
    }
  }

  /// Returns all present values of the store.
  ///
  /// Later writes do not change the result.
  func values() throws(StorageError) -> [ExactString: Data] {
    do throws(StorageError) {
      return try state.withLock { (state) throws(StorageError) in
        try state.refreshForReading()
        return state.store.values
      }
    } catch {
      return try values(despite: error)
    }
  }

  func apply(_ changes: [StorageChange]) throws(StorageError) {
    try format.checkSizes(of: changes)
    let record = try JournalRecord.encode(changes, for: files.journal)
    try writing { (lock) throws(StorageError) in
      try acquireLease(lock)
      try state.withLock { (state) throws(StorageError) in
        try state.refreshIfReplaced()
        try state.replaceTail()
        try state.store.flushNames()
        try state.append(record, changes, durability)
        checkpointIfDue(&state)
      }
    }
  }

  /// Checkpoints the store if the journal is larger than 64 KiB, and releases the lock between
  /// processes.
  ///
  /// When the store is opened again, at most 64 KiB of the journal are therefore replayed, unless
  /// the store is read-only or the checkpoint failed. If other tools read the snapshot
  /// (``SnapshotFormat/isForOtherTools``), the store is checkpointed for a smaller journal as well.
  func close() {
    let limit = format.isForOtherTools ? 0 : 1 << 16
    if case .writable = access, files.journalByteCount > limit { try? checkpoint() }
    releaseLease()
  }

  /// Writes all values into the snapshot, unless the journal is empty.
  func checkpoint() throws(StorageError) {
    try writing { (lock) throws(StorageError) in
      try acquireLease(lock)
      try state.withLock { (state) throws(StorageError) in
        try state.refreshIfReplaced()
        try state.replaceTail()
        if !state.store.journal.isEmpty { try state.checkpoint() }
      }
    }
  }

  /// Checkpoints the store if the journal is larger than 8 MiB and has at least four times the size
  /// of the snapshot.
  ///
  /// A checkpoint writes the whole snapshot, which costs too much for a
  /// smaller journal. If a checkpoint failed, the next attempt is made
  /// when the journal has twice the size that it had at the failure.
  private func checkpointIfDue(_ state: inout SharedState) {
    let size = state.store.journal.end
    // A sparse file may be so large that a multiple of its size would overflow.
    guard size > Self.smallJournal, size / 2 >= state.failedCheckpoint,
      size / 4 >= files.snapshotByteCount
    else { return }
    // The batch itself is safe in the journal,
    // so a failed checkpoint is not reported to the caller.
    do throws(StorageError) {
      try state.checkpoint()
      state.failedCheckpoint = 0
    } catch {
      state.failedCheckpoint = size
    }
  }

  // MARK: Other processes

  /// Returns the number of times that this instance of the store has found writes of another
  /// instance.
  ///
  /// If the store cannot be read, returns the number of the last successful check.
  func knownChangeCount() -> UInt64 {
    state.withLock { state in
      try? state.refreshForReading()
      return state.externalChanges.value
    }
  }

  /// Checks the files, and returns the number of times that this instance of the store has found
  /// writes of another instance.
  func currentChangeCount() throws(StorageError) -> UInt64 {
    try state.withLock { (state) throws(StorageError) in
      if state.isOutdated || !state.isLocked { try state.refresh() }
      return state.externalChanges.value
    }
  }

  /// Acquires the lock between processes for the duration of a lease (5 milliseconds), and reads
  /// the batches that other processes wrote before.
  private func acquireLease(_ lock: borrowing FileLock) throws(StorageError) {
    if state.withLock({ $0.isLocked }) { return }
    try lock.lock(timeout: lockTimeout)
    do throws(StorageError) {
      try state.withLock { (state) throws(StorageError) in
        try state.refresh()
        // The journal alone contains only the most recent values, so the snapshot is written again.
        if try !Folder.hasEntry(at: files.snapshot) { try state.checkpoint() }
        state.isLocked = true
        state.isLeaseOver = false
      }
    } catch {
      lock.unlock()
      throw error
    }
    guard case .writable(let writer) = access else { return }
    // The timer keeps the store alive until the lease ends.
    // A weak reference would slow down every read.
    writer.leases.asyncAfter(deadline: .now() + Self.lease) { self.releaseLease() }
  }

  /// Ends the lease, and releases the lock between processes unless an exclusive access needs it.
  private func releaseLease() {
    guard case .writable(let writer) = access else { return }
    writer.lock.withLock { lock in
      state.withLock { state in
        guard state.isLocked else { return }
        guard state.exclusiveAccesses == 0 else {
          state.isLeaseOver = true
          return
        }
        state.isLocked = false
        lock.unlock()
      }
    }
  }

  /// Acquires the lock between processes, and reads the values again after a first attempt threw
  /// `error`.
  ///
  /// While another instance of the store removes a failed batch from the journal, a read without
  /// the lock may return a part of the batch, which seems to be damaged. A read under the lock
  /// shows whether the journal is really damaged.
  ///
  /// - Throws: `error` if its code is not `.corrupted` or the store is open for reading only, and
  ///   any error of the second attempt.
  private func values(despite error: StorageError) throws(StorageError) -> [ExactString: Data] {
    guard error.code == .corrupted, case .writable = access else { throw error }
    try writing { (lock) throws(StorageError) in try acquireLease(lock) }
    return state.withLock { $0.store.values }
  }
}
