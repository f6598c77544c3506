import Synchronization
import UndercroftCore

/// All connections of one database: one that writes, and several that read beside it.
///
/// A thread that is inside already gets the connection that it has, so that nesting neither waits for itself nor sees an older state.
final class Seats: Sendable {
  enum Access {
    /// On any connection.
    case read
    /// On the one that writes.
    case write
    /// On the one that writes, changing nothing: only there do others' commits count as others'.
    case look
  }

  private let writer: Seat
  /// Whose turn it is to write.
  private let turn: TurnLock
  private let checkpointer: Checkpointer?
  /// None where only one connection can see the database, as in memory.
  private let readers: ReaderSeats?
  private let timeout: Duration
  /// The file, for errors; `nil` in memory.
  let path: String?
  private let state = Atomic<State>(.open)
  /// Moves on whenever the file may have become another one; asked by those who have a seat.
  let generation = Atomic<Int>(0)
  /// How often the writer has changed the schema, which readers are told of when they come in.
  private let schemaChangeCount = Atomic<Int>(0)

  private enum State: UInt8, AtomicRepresentable {
    case open
    /// Closed while somebody's closure runs.
    case held
    /// Closed for good.
    case closed
  }

  init(
    writer: Seat, turn: TurnLock, checkpointer: Checkpointer?, readers: ReaderSeats?,
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
    // The writer last: the last connection to go moves the log into the file, which a reading one may not.
    readers?.closeIdle()
    checkpointer?.stop()
    writer.close()
  }

  /// Whether the calling thread has a connection already.
  var isInside: Bool { writer.isHeldHere || readers?.heldHere != nil }

  /// How often the writer's connection was opened again, each time with counts of its own; only its holder reads this.
  var writerOpenCount: Int { writer.openCount.load(ordering: .relaxed) }

  /// Whether the calling thread is inside a write.
  var isWritingHere: Bool { writer.isWritingHere }

  /// Lends a connection without a transaction; errors of the engine pass through `wrap`.
  ///
  /// - Parameter interruption: ends the wait for a connection early when it is cancelled.
  func lend<Result, Failure: Error>(
    _ access: Access, interruption: Interruption? = nil, orThrow wrap: (StorageError) -> Failure,
    _ body: (borrowing Connection) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if writer.isHeldHere {
      if access == .write, !writer.isWritingHere, isOpen { throw wrap(Self.writeInRead) }
      guard access == .read else { return try use(writer, access, orThrow: wrap, body) }
      // A write inside of it would be kept or undone by the read's own transaction.
      return try writer.reading { () throws(Failure) in
        try use(writer, access, orThrow: wrap, body)
      }
    }
    if let held = readers?.heldHere {
      if access != .read { throw wrap(Self.writeInRead) }
      return try use(held, access, orThrow: wrap, body)
    }
    if access == .read, let readers {
      guard let seat = readers.take(timeout: timeout, interruption: interruption) else {
        throw wrap(late(tooManyReaders))
      }
      defer { readers.leave(seat) }
      return try useOutermost(seat, access, interruption, orThrow: wrap, body)
    }
    guard turn.lock(timeout: timeout, isCancelled: interruption?.cancellationCheck) else {
      throw wrap(late(stillBusy))
    }
    defer { turn.unlock() }
    return try onWriter(access, interruption, orThrow: wrap, body)
  }

  /// Lends the writer's connection unless anybody is using it.
  func lookIfFree<Result>(_ body: (borrowing Connection) -> Result) -> Result? {
    guard !writer.isHeldHere, turn.tryLock() else { return nil }
    defer { turn.unlock() }
    return try? onWriter(.look, nil, orThrow: { $0 }) { (connection) throws(StorageError) in
      body(connection)
    }
  }

  private func onWriter<Result, Failure: Error>(
    _ access: Access, _ interruption: Interruption?, orThrow wrap: (StorageError) -> Failure,
    _ body: (borrowing Connection) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    writer.take(writing: access == .write)
    defer { writer.leave() }
    return try useOutermost(writer, access, interruption, orThrow: wrap, body)
  }

  /// Lends the connection of a seat that this thread has just taken, and leaves no transaction open on it.
  ///
  /// The next one to use the connection would write into that transaction, and nothing of it would ever be committed.
  private func useOutermost<Result, Failure: Error>(
    _ seat: Seat, _ access: Access, _ interruption: Interruption?,
    orThrow wrap: (StorageError) -> Failure,
    _ body: (borrowing Connection) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    do throws(Failure) {
      return try use(seat, access, isOutermost: true, interruption, orThrow: wrap) {
        (connection) throws(Failure) in
        let result = try body(connection)
        if connection.isInTransaction {
          throw wrap(connection.state.pendingRollback ?? Connection.leftOpen)
        }
        if let file = connection.state.immutableFile, !file.isUnchanged {
          throw wrap(changedMeanwhile)
        }
        return result
      }
    } catch {
      seat.endTransaction()
      throw error
    }
  }

  private func use<Result, Failure: Error>(
    _ seat: Seat, _ access: Access, isOutermost: Bool = false, _ interruption: Interruption? = nil,
    orThrow wrap: (StorageError) -> Failure,
    _ body: (borrowing Connection) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard isOpen else { throw wrap(isHeld ? Self.heldClosed : Self.closed) }
    let connection: Connection
    do throws(StorageError) {
      connection = try seat.connection(
        mayWrite: access == .write, isOutermost: isOutermost, interruption: interruption)
    } catch {
      throw wrap(error)
    }
    let state = connection.state
    if seat === writer {
      let before = state.schemaChangeCount
      defer {
        if state.schemaChangeCount != before { schemaChangeCount.add(1, ordering: .releasing) }
      }
      return try body(connection)
    }
    let count = schemaChangeCount.load(ordering: .acquiring)
    // Whoever is inside already has a view of the file as it was.
    if state.seenSchemaChangeCount != count, !connection.isInTransaction {
      state.seenSchemaChangeCount = count
      state.forgetMarks()
    }
    return try body(connection)
  }

  /// Fails what all connections are running.
  func interrupt() {
    writer.interrupt()
    readers?.interrupt()
  }

  /// Waits for the checkpoint in the background and lets none begin until ``resumeCheckpoints()``; for whoever writes.
  func pauseCheckpoints() { checkpointer?.stop() }

  func resumeCheckpoints() { checkpointer?.resume() }

  // MARK: Closing

  /// Whether a call may begin, if it gets a seat.
  var isOpen: Bool { state.load(ordering: .relaxed) == .open }

  /// Whether it is closed for good.
  var isClosed: Bool { state.load(ordering: .relaxed) == .closed }

  private var isHeld: Bool { state.load(ordering: .relaxed) == .held }

  /// Where there is one connection for all, whoever has it may as well be reading.
  private var stillBusy: StorageError { readers == nil ? stillInUse : stillWriting }

  /// Whoever waits in vain for one who holds everything closed should hear of that.
  private func late(_ usual: StorageError) -> StorageError { isHeld ? stillClosed : usual }

  /// Closes the connections that nobody uses, until they are needed again.
  func closeIdle() { readers?.closeIdle() }

  /// Closes every connection for good, having waited for all who are inside.
  ///
  /// - Returns: whether it was not closed for good before.
  func close() throws(StorageError) -> Bool {
    if isClosed { return false }
    guard !isInside else { throw Self.closeInside }
    return try alone(.closed, orThrow: { $0 }) { (before) throws(StorageError) in
      before != .closed
    }
  }

  /// Closes every connection, having waited for all who are inside, and runs `body` before anybody comes in again.
  func whileClosed<Result, Failure: Error>(
    orThrow wrap: (StorageError) -> Failure, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // Only a closure of this kind can have the seat while there is no connection.
    if writer.isHeldHere, !isOpen { return try body() }
    guard !isInside else { throw wrap(Self.closeInside) }
    return try alone(.held, orThrow: wrap) { (before) throws(Failure) in
      defer {
        generation.add(1, ordering: .relaxed)
        state.store(before, ordering: .relaxed)
      }
      return try body()
    }
  }

  /// Runs `body` in a new state, with all seats taken and all connections closed, and with the state before.
  private func alone<Result, Failure: Error>(
    _ closing: State, orThrow wrap: (StorageError) -> Failure,
    _ body: (State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard turn.lock(timeout: timeout) else { throw wrap(late(stillBusy)) }
    defer { turn.unlock() }
    writer.take(writing: false)
    defer { writer.leave() }
    // It never waits for the turn for long.
    checkpointer?.stop()
    defer { if state.load(ordering: .relaxed) != .closed { checkpointer?.resume() } }
    // Before the connections are closed: what their functions own may use the database when it is released, and must not open a
    // connection again.
    guard let readers else {
      let before = state.exchange(closing, ordering: .relaxed)
      writer.close()
      return try body(before)
    }
    return try readers.alone(timeout: timeout, orThrow: { wrap(late(tooManyReaders)) }) {
      () throws(Failure) in
      let before = state.exchange(closing, ordering: .relaxed)
      readers.closeAll()
      // After the readers, so that the log goes into the file.
      writer.close()
      return try body(before)
    }
  }
}
