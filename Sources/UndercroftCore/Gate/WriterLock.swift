import Synchronization

/// A lock that knows the thread that holds it, so that a write within a write is an error and not a deadlock.
///
/// Nor do two writes that each wait for the other's backend wait for ever: the time is bounded.
package final class WriterLock: Sendable {
  private let turn = TurnLock()
  private let holder = Atomic<UInt>(0)
  private let timeout: Duration

  package init(timeout: Duration = .seconds(10)) { self.timeout = timeout }

  /// Whether the calling thread is inside.
  package var isHeldHere: Bool {
    // Only this thread can have stored its own number, so a relaxed read suffices.
    holder.load(ordering: .relaxed) == CurrentThread.number
  }

  /// Runs `body` alone; errors of the lock itself pass through `wrap`.
  ///
  /// They are ``StorageError/Code/misuse`` when this thread is inside already, and ``StorageError/Code/locked`` when
  /// another one stays inside for too long.
  package func withLock<Result, Failure: Error>(
    orThrow wrap: (StorageError) -> Failure, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if isHeldHere { throw wrap(Self.nested) }
    guard turn.lock(timeout: timeout) else { throw wrap(Self.late) }
    return try inside(body)
  }

  /// Runs `body` alone, or within the lock that this thread holds already.
  package func withRecursiveLock<Result, Failure: Error>(
    orThrow wrap: (StorageError) -> Failure, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if isHeldHere { return try body() }
    guard turn.lock(timeout: timeout) else { throw wrap(Self.late) }
    return try inside(body)
  }

  private func inside<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    holder.store(CurrentThread.number, ordering: .relaxed)
    defer {
      holder.store(0, ordering: .relaxed)
      turn.unlock()
    }
    return try body()
  }

  private static var nested: StorageError {
    StorageError(
      .misuse, "cannot write: this thread is already inside a write of the same backend",
      cure: "make all changes in one edit")
  }

  private static var late: StorageError {
    StorageError(
      .locked, "cannot write: another thread has not ended its write of the same backend",
      cure: "make that write shorter; in an edit, save nothing whose own edit saves here")
  }
}
