import Dispatch
import UndercroftCore

/// The seats of the readers: a bounded number, for which further readers wait.
final class ReaderSeats: Sendable {
  private let seats: [Seat]
  /// Counts the free ones, so that whoever has passed it finds one.
  private let free: DispatchSemaphore

  init(
    _ count: Int, _ open: @escaping @Sendable (Interruption?) throws(StorageError) -> SQLiteHandle
  ) {
    seats = (0..<count).map { _ in Seat(open) }
    free = DispatchSemaphore(value: count)
  }

  deinit {
    for seat in seats { seat.close() }
  }

  /// The seat that the calling thread has.
  var heldHere: Seat? {
    for seat in seats where seat.isHeldHere { return seat }
    return nil
  }

  /// Takes a seat, the first ones first, so that no more connections are opened than are used at once.
  ///
  /// - Returns: `nil` when the time is over, or soon after `interruption` was cancelled.
  func take(timeout: Duration, interruption: Interruption?) -> Seat? {
    guard isFree(within: timeout, interruption) else { return nil }
    while true {
      for seat in seats where seat.tryTake() { return seat }
    }
  }

  /// To look at the clock costs as much as all the rest, so that is done by those alone who have to wait.
  private func isFree(within timeout: Duration, _ interruption: Interruption?) -> Bool {
    if free.wait(timeout: DispatchTime(uptimeNanoseconds: 0)) == .success { return true }
    let deadline = DispatchTime.now() + .nanoseconds(Int(clamping: timeout.nanoseconds))
    return free.wait(until: deadline, isCancelled: interruption?.cancellationCheck)
  }

  func leave(_ seat: Seat) {
    seat.leave()
    free.signal()
  }

  /// Fails what all readers are running.
  func interrupt() {
    for seat in seats { seat.interrupt() }
  }

  /// Closes the connections that nobody uses.
  func closeIdle() {
    for seat in seats where free.wait(timeout: .now()) == .success {
      if seat.tryTake() {
        seat.close()
        seat.leave()
      }
      free.signal()
    }
  }

  /// Runs `body` while no other thread has a reader, unless a reader stays too long.
  func alone<Result, Failure: Error>(
    timeout: Duration, orThrow late: () -> Failure, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let deadline = DispatchTime.now() + .nanoseconds(Int(clamping: timeout.nanoseconds))
    var taken = 0
    defer { for _ in 0..<taken { free.signal() } }
    for _ in seats {
      guard free.wait(timeout: deadline) == .success else { throw late() }
      taken += 1
    }
    return try body()
  }

  /// Closes all connections, of which none may be in use.
  func closeAll() {
    for seat in seats { seat.close() }
  }
}
