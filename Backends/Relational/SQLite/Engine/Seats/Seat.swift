import Synchronization
import UndercroftCore

/// The place of one connection: opened at first use, and used by one thread at a time.
final class Seat: Sendable {
  private let open: @Sendable (Interruption?) throws(StorageError) -> SQLiteHandle
  private let handle = Mutex<SQLiteHandle?>(nil)
  private let holder = Atomic<UInt>(0)
  /// Whether its holder writes; asked by its holder alone.
  private let isWriting = Atomic<Bool>(false)
  /// How often its connection was opened again; only its holder reads this.
  let openCount = Atomic<Int>(0)
  /// Whether its holder is opening the connection; asked by its holder alone.
  private let isOpening = Atomic<Bool>(false)

  /// - Parameter open: opens the connection; an interruption that is cancelled ends the wait for the
  ///   lock of another process.
  init(_ open: @escaping @Sendable (Interruption?) throws(StorageError) -> SQLiteHandle) {
    self.open = open
  }

  // MARK: Who has it

  /// Whether the calling thread has the seat.
  var isHeldHere: Bool {
    // Only this thread can have stored its own number, so a relaxed read suffices.
    holder.load(ordering: .relaxed) == CurrentThread.number
  }

  var isWritingHere: Bool { isHeldHere && isWriting.load(ordering: .relaxed) }

  /// Takes the seat unless somebody has it.
  func tryTake() -> Bool {
    holder.compareExchange(
      expected: 0, desired: CurrentThread.number, ordering: .acquiring
    ).exchanged
  }

  /// Takes a seat that only one thread at a time tries to take.
  func take(writing: Bool) {
    // Goes with the release in `leave`: what the last one did is seen without looking at how the turn was handed over.
    _ = holder.load(ordering: .acquiring)
    holder.store(CurrentThread.number, ordering: .relaxed)
    isWriting.store(writing, ordering: .relaxed)
  }

  /// Runs `body` while the holder does not count as writing.
  func reading<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let before = isWriting.exchange(false, ordering: .relaxed)
    defer { isWriting.store(before, ordering: .relaxed) }
    return try body()
  }

  func leave() { holder.store(0, ordering: .releasing) }

  // MARK: The connection

  /// Lends the connection to the holder, opening it at first use.
  ///
  /// - Parameters:
  ///   - isOutermost: whether the holder has no other use of the connection, so that one to a file that has changed may be replaced.
  ///   - interruption: when it is cancelled, ends the wait for the lock of another process.
  func connection(
    mayWrite: Bool, isOutermost: Bool = false, interruption: Interruption? = nil
  ) throws(StorageError) -> Connection {
    // The mutex is never waited for long: only the holder comes here or closes. The connection stays until the seat is left.
    if let connection = present(mayWrite: mayWrite) {
      guard isOutermost, let file = connection.state.immutableFile, !file.isUnchanged else {
        return connection
      }
      // Such a connection looks for no changes of others.
      close()
    }
    // Not under the mutex: opening runs the caller's code, which may come here again.
    guard !isOpening.exchange(true, ordering: .relaxed) else { throw Seats.inSetUp }
    defer { isOpening.store(false, ordering: .relaxed) }
    let opened = try open(interruption)
    opened.state.busyPolicy.interruption = nil
    seat(opened)
    openCount.add(1, ordering: .relaxed)
    guard let connection = present(mayWrite: mayWrite) else { throw Seats.closed }
    return connection
  }

  /// Interrupts the statement of the holder; does nothing while the seat is free.
  func interrupt() {
    guard holder.load(ordering: .relaxed) != 0 else { return }
    handle.withLock { handle in
      switch handle {
      case .some(let handle): handle.state.interrupts.interrupt()
      case .none: break
      }
    }
  }

  /// Rolls back a transaction that is still open after its holder has failed; closes the connection if that fails, which undoes it as well.
  func endTransaction() {
    guard let connection = present(mayWrite: false) else { return }
    do throws(StorageError) { try connection.state.rollBack() } catch { close() }
  }

  private func present(mayWrite: Bool) -> Connection? {
    handle.withLock { handle in
      switch handle {
      case .some(let handle): handle.connection(mayWrite: mayWrite)
      case .none: nil
      }
    }
  }

  /// Puts an open connection on the seat.
  func seat(_ handle: consuming SQLiteHandle) {
    var handle: SQLiteHandle? = handle
    let old = self.handle.withLock { place in
      let old = place.take()
      place = handle.take()
      return old
    }
    _ = consume old
  }

  func close() {
    // Outside of the mutex: the functions of the connection may own objects that use the database when
    // they are released.
    let old = handle.withLock { $0.take() }
    _ = consume old
  }
}
