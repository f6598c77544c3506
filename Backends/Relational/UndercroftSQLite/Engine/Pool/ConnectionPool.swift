import Synchronization
import UndercroftCore

/// The connection pool of one database: one writer and several readers, which run at the same time.
///
/// A thread that already holds a connection gets the same connection again. A nested call therefore
/// neither waits for its own thread nor sees an older state.
final class ConnectionPool: Sendable {
  enum Access {
    /// Reads on any connection.
    case read
    /// Writes on the writer.
    case write
    /// Reads on the writer.
    ///
    /// On the writer, `PRAGMA data_version` changes only for commits outside of this database
    /// object, because all writes of this object use the writer.
    case readUsingWriter
  }

  private let writer: PooledConnection
  /// The lock that a thread acquires before it uses the writer.
  private let writerLock: EventuallyFairLock
  private let checkpointer: Checkpointer?
  /// The reader pool, or `nil` if only one connection can see the database, as in memory.
  private let readers: ReaderPool?
  private let timeout: Duration
  /// The path of the file, for error messages; `nil` in memory.
  let path: String?
  private let state = Atomic<State>(.open)
  /// A counter that is incremented whenever the file may have been replaced.
  let generation = Atomic<Int>(0)
  /// A counter that is incremented after each use of a connection that changed the schema, or that
  /// noticed the change of another connection.
  ///
  /// A reader that finds a new value discards its records of passed schema checks.
  private let schemaChangeCount = Atomic<Int>(0)

  enum State: UInt8, AtomicRepresentable {
    case open
    /// The pool is closed until the lease of ``closeTemporarily()`` is released.
    case held
    /// The pool is closed permanently.
    case closed
  }

  init(
    writer: PooledConnection, writerLock: EventuallyFairLock, checkpointer: Checkpointer?,
    readers: ReaderPool?,
    timeout: Duration, path: String?
  ) {
    self.path = path
    self.writer = writer
    self.writerLock = writerLock
    self.checkpointer = checkpointer
    self.readers = readers
    self.timeout = timeout
  }

  deinit {
    // The writer closes last: the last connection to close moves the write-ahead log into the file,
    // which a read-only connection cannot do.
    readers?.closeIdle()
    checkpointer?.stop()
    writer.close()
  }

  /// Whether the calling thread holds a connection.
  var isInside: Bool {
    // The number is read once, because reading it takes longer than comparing it.
    let thread = CurrentThread.number
    if writer.isHeld(by: thread) { return true }
    return readers?.isHeld(by: thread) ?? false
  }

  /// The number of times that ``PooledConnection/state(isOutermost:interruption:)`` has opened the
  /// writer.
  ///
  /// Each connection has its own `PRAGMA data_version` counter, so two values of that counter are
  /// comparable only if this number was the same for both. Only the thread that holds the writer
  /// reads this number.
  var writerOpenCount: Int { writer.openCount.load(ordering: .relaxed) }

  /// Whether the calling thread is inside a write.
  var isWritingOnCurrentThread: Bool { writer.isWritingOnCurrentThread }

  /// Runs `body` on a connection, without a transaction.
  func withConnection<Result>(
    _ access: Access, _ body: (Connection) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    let lease = try acquire(access)
    defer { lease.release() }
    let result = try body(lease.connection)
    try lease.requireEnded()
    return result
  }

  /// Runs `body` on the writer if the writer is free, or becomes free within `timeout`.
  ///
  /// - Returns: the result of `body`; `nil` if a thread holds the writer, if the writer cannot be
  ///   opened, or if ``ConnectionLease/requireEnded()`` rejects the result.
  func tryWithWriter<Result>(
    waitingFor timeout: Duration = .zero, _ body: (Connection) -> Result
  ) -> Result? {
    if writer.isHeldByCurrentThread { return nil }
    guard writerLock.tryLock() || (timeout > .zero && writerLock.lock(timeout: timeout)) else {
      return nil
    }
    guard let lease = try? leaseWriter(.readUsingWriter, nil) else { return nil }
    defer { lease.release() }
    let result = body(lease.connection)
    guard (try? lease.requireEnded()) != nil else { return nil }
    return result
  }

  // MARK: Leases

  /// Acquires a connection for the calling thread, which must release the lease.
  ///
  /// - Parameter interruption: if it is cancelled, the wait for a connection ends early.
  func acquire(
    _ access: Access, interruption: Interruption? = nil
  ) throws(StorageError) -> ConnectionLease {
    if writer.isHeldByCurrentThread {
      if access == .write, !writer.isWritingOnCurrentThread, isOpen { throw writeInRead }
      let lease = try lease(writer, access, .nested(wasWriting: writer.isWritingOnCurrentThread))
      // A write inside this read is refused: the transaction of the read would commit or undo it.
      if access == .read { writer.setWriting(false) }
      return lease
    }
    if let held = readers?.heldByCurrentThread {
      if access != .read { throw writeInRead }
      return try lease(held, access, .nested(wasWriting: false))
    }
    if access == .read, let readers {
      guard let pooled = readers.acquire(timeout: timeout, interruption: interruption) else {
        throw timeoutError(tooManyReaders)
      }
      do throws(StorageError) {
        return try lease(pooled, access, .outermost, interruption)
      } catch {
        readers.release(pooled)
        throw error
      }
    }
    guard writerLock.lock(timeout: timeout, isCancelled: interruption?.cancellationCheck) else {
      throw timeoutError(busyError)
    }
    return try leaseWriter(access, interruption)
  }

  /// Returns a lease of the writer, whose lock the calling thread holds.
  ///
  /// If this function throws, it releases the lock.
  private func leaseWriter(
    _ access: Access, _ interruption: Interruption?
  ) throws(StorageError) -> ConnectionLease {
    writer.acquire(writing: access == .write)
    do throws(StorageError) {
      return try lease(writer, access, .outermost, interruption)
    } catch {
      writer.release()
      writerLock.unlock()
      throw error
    }
  }

  private func lease(
    _ pooled: PooledConnection, _ access: Access, _ scope: ConnectionLease.Scope,
    _ interruption: Interruption? = nil
  ) throws(StorageError) -> ConnectionLease {
    guard isOpen else { throw isHeld ? heldClosed : Self.closed(path) }
    let state = try pooled.state(isOutermost: scope.isOutermost, interruption: interruption)
    if pooled !== writer {
      let count = schemaChangeCount.load(ordering: .acquiring)
      // A reader inside a transaction still sees the schema that it has checked.
      if state.knownSchemaChangeCount != count, !state.isInTransaction {
        state.knownSchemaChangeCount = count
        state.schemaChecks.removeAll()
      }
    }
    return ConnectionLease(
      connection: state.connection(mayWrite: access == .write), state: state, pool: self,
      pooled: pooled, scope: scope, schemaChangeCount: state.schemaChecks.changeCount)
  }

  /// Ends a lease, and returns the connection to the pool if the lease is the outermost.
  ///
  /// At the end of an outermost lease, rolls back a transaction that is still open. Without the
  /// rollback, the next thread would write inside that transaction, and the changes of that thread
  /// would never be committed.
  func release(_ lease: borrowing ConnectionLease) {
    let (state, pooled) = (lease.state, lease.pooled)
    if state.schemaChecks.changeCount != lease.schemaChangeCount {
      schemaChangeCount.add(1, ordering: .releasing)
    }
    switch lease.scope {
    case .nested(let wasWriting):
      if pooled === writer { writer.setWriting(wasWriting) }
    case .outermost:
      state.endHandles()
      if state.isInTransaction { pooled.endTransaction() }
      if pooled === writer {
        writer.release()
        writerLock.unlock()
      } else {
        readers?.release(pooled)
      }
    }
  }

  /// Interrupts the running statements of all connections. (`sqlite3_interrupt`)
  func interrupt() {
    writer.interrupt()
    readers?.interrupt()
  }

  /// Waits until a running background checkpoint ends, and then prevents background checkpoints
  /// until ``resumeCheckpoints()`` is called.
  ///
  /// Only the thread that has acquired the writer connection calls this function.
  func pauseCheckpoints() { checkpointer?.stop() }

  func resumeCheckpoints() { checkpointer?.resume() }

  // MARK: Closing

  /// Whether connections can be acquired: the pool is closed neither permanently nor by a lease of
  /// ``closeTemporarily()``.
  var isOpen: Bool { state.load(ordering: .relaxed) == .open }

  /// Whether the pool is closed permanently.
  var isClosed: Bool { state.load(ordering: .relaxed) == .closed }

  private var isHeld: Bool { state.load(ordering: .relaxed) == .held }

  /// The error for a thread that waited for the writer until the timeout.
  ///
  /// If there is no reader pool, the thread that holds the only connection may also be reading.
  private var busyError: StorageError { readers == nil ? connectionInUse : writerInUse }

  /// Returns the error for a wait that has timed out.
  ///
  /// If another thread holds the pool closed at present, returns the error that reports this cause.
  /// In all other cases, returns `usual`.
  private func timeoutError(_ usual: StorageError) -> StorageError {
    isHeld ? closedTemporarily : usual
  }

  /// Closes the readers that no thread uses.
  ///
  /// Closed readers are opened again when they are needed.
  func closeIdle() { readers?.closeIdle() }

  /// Waits for all reads and writes to end, and closes every connection permanently.
  ///
  /// - Returns: whether this call closed the pool; `false` if it was closed before.
  func close() throws(StorageError) -> Bool {
    if isClosed { return false }
    guard !isInside else { throw closeInside }
    let lease = try acquireAll(.closed)
    defer { lease.release() }
    return lease.before != .closed
  }

  /// Waits for all reads and writes to end, and closes every connection until the lease is
  /// released.
  ///
  /// Until then, no thread can acquire a connection. Inside another such lease of the calling
  /// thread, returns a lease without effect.
  func closeTemporarily() throws(StorageError) -> ExclusiveLease {
    // A thread holds the writer of a closed pool only during such a lease.
    if writer.isHeldByCurrentThread, !isOpen { return ExclusiveLease(pool: nil, before: .held) }
    guard !isInside else { throw closeInside }
    return try acquireAll(.held)
  }

  /// Acquires and closes all connections, and sets the state to `closing`.
  private func acquireAll(_ closing: State) throws(StorageError) -> ExclusiveLease {
    guard writerLock.lock(timeout: timeout) else { throw timeoutError(busyError) }
    writer.acquire(writing: false)
    // This cannot deadlock: a checkpointer that is stopped gives up its wait for the writer's lock.
    checkpointer?.stop()
    if let readers, !readers.acquireAll(timeout: timeout) {
      releaseWriter()
      throw timeoutError(tooManyReaders)
    }
    // The state changes before the connections close: objects that their SQL functions own may use
    // the database when they are released, and must not open a connection again.
    let before = state.exchange(closing, ordering: .relaxed)
    readers?.closeAll()
    // The writer closes after the readers, so that it can move the write-ahead log into the file.
    writer.close()
    return ExclusiveLease(pool: self, before: before)
  }

  /// Ends a lease of all connections, and opens the pool again unless it is closed permanently.
  func release(_ lease: borrowing ExclusiveLease) {
    if state.load(ordering: .relaxed) == .held {
      generation.add(1, ordering: .relaxed)
      state.store(lease.before, ordering: .relaxed)
    }
    readers?.releaseAll()
    releaseWriter()
  }

  private func releaseWriter() {
    if state.load(ordering: .relaxed) != .closed { checkpointer?.resume() }
    writer.release()
    writerLock.unlock()
  }
}
