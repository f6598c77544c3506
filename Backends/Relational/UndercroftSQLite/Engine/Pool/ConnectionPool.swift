import Synchronization
import UndercroftCore

/// The connection pool of one database: one writer and several readers, which run at the same time.
///
/// A thread that already holds a connection gets the same one again. Nested calls therefore neither
/// wait for themselves nor see an older state.
final class ConnectionPool: Sendable {
  enum Access {
    /// Reads on any connection.
    case read
    /// Writes on the writer.
    case write
    /// Reads on the writer.
    ///
    /// Only there does `PRAGMA data_version` count the commits of other connections but not those
    /// of this database.
    case readOnWriter
  }

  private let writer: PooledConnection
  /// The lock that a thread acquires before it uses the writer.
  private let turn: EventuallyFairLock
  private let checkpointer: Checkpointer?
  /// The reader pool, or `nil` if only one connection can see the database, as in memory.
  private let readers: ReaderPool?
  private let timeout: Duration
  /// The path of the file, for error messages; `nil` in memory.
  let path: String?
  private let state = Atomic<State>(.open)
  /// A generation counter, incremented whenever the file may have been replaced.
  let generation = Atomic<Int>(0)
  /// A generation counter, incremented after each use of the writer that changed the schema.
  ///
  /// A reader that finds a new value forgets which schema checks it has passed.
  private let schemaChangeCount = Atomic<Int>(0)

  private enum State: UInt8, AtomicRepresentable {
    case open
    /// Closed while the closure of ``whileClosed(orThrow:_:)`` runs.
    case held
    /// Closed permanently.
    case closed
  }

  init(
    writer: PooledConnection, turn: EventuallyFairLock, checkpointer: Checkpointer?,
    readers: ReaderPool?,
    timeout: Duration, path: String?
  ) {
    self.path = path
    self.writer = writer
    self.turn = turn
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
  var isInside: Bool { writer.isHeldByCurrentThread || readers?.heldByCurrentThread != nil }

  /// The number of times that the writer was reopened.
  ///
  /// Each connection has its own `PRAGMA data_version` counter. Only the thread that holds the
  /// writer reads this value.
  var writerOpenCount: Int { writer.openCount.load(ordering: .relaxed) }

  /// Whether the calling thread is inside a write.
  var isWritingOnCurrentThread: Bool { writer.isWritingOnCurrentThread }

  /// Runs `body` on a connection, without a transaction.
  ///
  /// Errors of the pool pass through `wrap`.
  ///
  /// - Parameter interruption: if it is cancelled, the wait for a connection ends early.
  func withConnection<Result, Failure: Error>(
    _ access: Access, interruption: Interruption? = nil, orThrow wrap: (StorageError) -> Failure,
    _ body: (Connection) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if writer.isHeldByCurrentThread {
      if access == .write, !writer.isWritingOnCurrentThread, isOpen { throw wrap(Self.writeInRead) }
      guard access == .read else {
        return try use(writer, access, orThrow: wrap) { (connection, _) throws(Failure) in
          try body(connection)
        }
      }
      // A write inside this read is refused: the transaction of the read would commit or undo it.
      return try writer.reading { () throws(Failure) in
        try use(writer, access, orThrow: wrap) { (connection, _) throws(Failure) in
          try body(connection)
        }
      }
    }
    if let held = readers?.heldByCurrentThread {
      if access != .read { throw wrap(Self.writeInRead) }
      return try use(held, access, orThrow: wrap) { (connection, _) throws(Failure) in
        try body(connection)
      }
    }
    if access == .read, let readers {
      guard let pooled = readers.acquire(timeout: timeout, interruption: interruption) else {
        throw wrap(timeoutError(tooManyReaders))
      }
      defer { readers.release(pooled) }
      return try useOutermost(pooled, access, interruption, orThrow: wrap, body)
    }
    guard turn.lock(timeout: timeout, isCancelled: interruption?.cancellationCheck) else {
      throw wrap(timeoutError(stillBusy))
    }
    defer { turn.unlock() }
    return try onWriter(access, interruption, orThrow: wrap, body)
  }

  /// Runs `body` on the writer if no thread holds it, or none after at most `timeout`.
  ///
  /// - Returns: `nil` if a thread holds the writer, or if the writer cannot be opened.
  func tryWithWriter<Result>(
    waitingFor timeout: Duration = .zero, _ body: (Connection) -> Result
  ) -> Result? {
    if writer.isHeldByCurrentThread { return nil }
    guard turn.tryLock() || (timeout > .zero && turn.lock(timeout: timeout)) else { return nil }
    defer { turn.unlock() }
    return try? onWriter(.readOnWriter, nil, orThrow: { $0 }) { (connection) throws(StorageError) in
      body(connection)
    }
  }

  private func onWriter<Result, Failure: Error>(
    _ access: Access, _ interruption: Interruption?, orThrow wrap: (StorageError) -> Failure,
    _ body: (Connection) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    writer.acquire(writing: access == .write)
    defer { writer.release() }
    return try useOutermost(writer, access, interruption, orThrow: wrap, body)
  }

  /// Runs `body` on a connection that this thread has just acquired, and rolls back a transaction
  /// that is still open afterwards.
  ///
  /// Otherwise, the next thread would write into that transaction, and its changes would never be
  /// committed.
  private func useOutermost<Result, Failure: Error>(
    _ pooled: PooledConnection, _ access: Access, _ interruption: Interruption?,
    orThrow wrap: (StorageError) -> Failure,
    _ body: (Connection) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    do throws(Failure) {
      return try use(pooled, access, isOutermost: true, interruption, orThrow: wrap) {
        (connection, state) throws(Failure) in
        defer { state.endHandles() }
        let result = try body(connection)
        if state.isInTransaction { throw wrap(state.pendingRollback ?? Connection.leftOpen) }
        if let file = state.immutableFile, !file.isUnchanged { throw wrap(changedMeanwhile) }
        return result
      }
    } catch {
      pooled.endTransaction()
      throw error
    }
  }

  private func use<Result, Failure: Error>(
    _ pooled: PooledConnection, _ access: Access, isOutermost: Bool = false,
    _ interruption: Interruption? = nil,
    orThrow wrap: (StorageError) -> Failure,
    _ body: (Connection, ConnectionState) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard isOpen else { throw wrap(isHeld ? Self.heldClosed : Self.closed) }
    let state: ConnectionState
    do throws(StorageError) {
      state = try pooled.state(isOutermost: isOutermost, interruption: interruption)
    } catch {
      throw wrap(error)
    }
    let connection = state.connection(mayWrite: access == .write)
    if pooled === writer {
      let before = state.schemaChangeCount
      defer {
        if state.schemaChangeCount != before { schemaChangeCount.add(1, ordering: .releasing) }
      }
      return try body(connection, state)
    }
    let count = schemaChangeCount.load(ordering: .acquiring)
    // A reader inside a transaction still sees the schema that it has checked.
    if state.seenSchemaChangeCount != count, !state.isInTransaction {
      state.seenSchemaChangeCount = count
      state.forgetVerified()
    }
    return try body(connection, state)
  }

  /// Interrupts the running statements of all connections. (`sqlite3_interrupt`)
  func interrupt() {
    writer.interrupt()
    readers?.interrupt()
  }

  /// Waits for the running background checkpoint, and prevents others until
  /// ``resumeCheckpoints()``.
  ///
  /// Only the thread that holds the writer calls this function.
  func pauseCheckpoints() { checkpointer?.stop() }

  func resumeCheckpoints() { checkpointer?.resume() }

  // MARK: Closing

  /// Whether the pool lends connections: it is not closed, neither permanently nor for the closure
  /// of ``whileClosed(orThrow:_:)``.
  var isOpen: Bool { state.load(ordering: .relaxed) == .open }

  /// Whether the pool is closed permanently.
  var isClosed: Bool { state.load(ordering: .relaxed) == .closed }

  private var isHeld: Bool { state.load(ordering: .relaxed) == .held }

  /// The error of a thread that waited for the writer until the timeout.
  ///
  /// If there is no reader pool, the thread that holds the only connection may also be reading.
  private var stillBusy: StorageError { readers == nil ? stillInUse : stillWriting }

  /// Returns the error for a timeout: `usual`, unless another thread holds the pool closed.
  private func timeoutError(_ usual: StorageError) -> StorageError { isHeld ? stillClosed : usual }

  /// Closes the readers that no thread uses.
  ///
  /// They are opened again when they are needed.
  func closeIdle() { readers?.closeIdle() }

  /// Waits for all reads and writes to end, and closes every connection permanently.
  ///
  /// - Returns: whether this call closed the pool; `false` if it was closed before.
  func close() throws(StorageError) -> Bool {
    if isClosed { return false }
    guard !isInside else { throw Self.closeInside }
    return try withExclusiveAccess(.closed, orThrow: { $0 }) { (before) throws(StorageError) in
      before != .closed
    }
  }

  /// Waits for all reads and writes to end, closes every connection, and runs `body` before any
  /// thread gets a connection again.
  func whileClosed<Result, Failure: Error>(
    orThrow wrap: (StorageError) -> Failure, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // A thread holds the writer of a closed pool only inside the closure of this very function.
    if writer.isHeldByCurrentThread, !isOpen { return try body() }
    guard !isInside else { throw wrap(Self.closeInside) }
    return try withExclusiveAccess(.held, orThrow: wrap) { (before) throws(Failure) in
      defer {
        generation.add(1, ordering: .relaxed)
        state.store(before, ordering: .relaxed)
      }
      return try body()
    }
  }

  /// Acquires and closes all connections, sets the state to `closing`, and runs `body` with the
  /// previous state.
  private func withExclusiveAccess<Result, Failure: Error>(
    _ closing: State, orThrow wrap: (StorageError) -> Failure,
    _ body: (State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard turn.lock(timeout: timeout) else { throw wrap(timeoutError(stillBusy)) }
    defer { turn.unlock() }
    writer.acquire(writing: false)
    defer { writer.release() }
    // This cannot deadlock: a checkpointer that is stopped gives up its wait for the writer's lock.
    checkpointer?.stop()
    defer { if state.load(ordering: .relaxed) != .closed { checkpointer?.resume() } }
    // The state changes before the connections close: objects that their SQL functions own may use
    // the database when they are released, and must not open a connection again.
    guard let readers else {
      let before = state.exchange(closing, ordering: .relaxed)
      writer.close()
      return try body(before)
    }
    return try readers.withExclusiveAccess(
      timeout: timeout, orThrow: { wrap(timeoutError(tooManyReaders)) }
    ) {
      () throws(Failure) in
      let before = state.exchange(closing, ordering: .relaxed)
      readers.closeAll()
      // The writer closes after the readers, so that it can move the write-ahead log into the file.
      writer.close()
      return try body(before)
    }
  }
}
