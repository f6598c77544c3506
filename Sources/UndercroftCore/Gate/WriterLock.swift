import Synchronization

/// A lock that knows its owner thread, so that a nested
/// write throws an error instead of deadlocking.
///
/// Waiting is bounded, so that two threads that wait for
/// each other's backends do not deadlock either.
package final class WriterLock: Sendable {
  private let turn = EventuallyFairLock()
  private let holder = Atomic<UInt>(0)
  private let timeout: Duration

  /// Creates a lock for which a thread waits at most for `timeout`.
  package init(timeout: Duration = .seconds(10)) { self.timeout = timeout }

  /// Whether the calling thread holds the lock.
  package var isHeldHere: Bool {
    // A relaxed read suffices, because only the calling thread can have stored its own number.
    holder.load(ordering: .relaxed) == CurrentThread.number
  }

  /// Runs `body` while holding the lock.
  ///
  /// - Parameter wrap: converts an error of the lock itself, which is
  ///   ``StorageError/Code/misuse`` if the calling thread already holds
  ///   the lock, or ``StorageError/Code/locked`` after the timeout.
  package func withLock<Result, Failure: Error>(
    orThrow wrap: (StorageError) -> Failure, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if isHeldHere { throw wrap(Self.nested) }
    guard turn.lock(timeout: timeout) else { throw wrap(Self.late) }
    return try inside(body)
  }

  /// Runs `body` while holding the lock, which the calling thread may already hold.
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
      suggestion: "make all changes in one edit")
  }

  private static var late: StorageError {
    StorageError(
      .locked, "cannot write: another thread has not ended its write of the same backend",
      suggestion: "make that write shorter; in an edit, save nothing whose own edit saves here")
  }
}
