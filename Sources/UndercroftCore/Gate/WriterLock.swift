import Synchronization

/// A lock that records its owner thread, so that a
/// nested write throws an error instead of deadlocking.
///
/// A thread waits at most for a timeout, so that two threads
/// that wait for each other's backends do not deadlock either.
package final class WriterLock: Sendable {
  private let threads = EventuallyFairLock()
  private let holder = Atomic<UInt>(0)
  /// The recursion depth: the number of calls of ``unlock()`` that are still needed to release the
  /// lock.
  ///
  /// Only the holder uses this number.
  private let depth = Atomic<Int>(0)
  private let timeout: Duration
  private let backend: String?

  /// Creates a lock.
  ///
  /// - Parameters:
  ///   - timeout: the maximum time that a thread waits for the lock.
  ///   - backend: the short name of the backend, for the errors that the lock throws.
  package init(timeout: Duration = .seconds(10), backend: String? = nil) {
    self.timeout = timeout
    self.backend = backend
  }

  /// Whether the calling thread holds the lock.
  package var isHeldByCurrentThread: Bool {
    // A relaxed read suffices, because only the calling thread can have stored its own number.
    holder.load(ordering: .relaxed) == CurrentThread.number
  }

  /// Acquires the lock, which the calling thread must release with ``unlock()``.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the calling thread already holds the
  ///   lock, and ``StorageError/Code/locked`` after the timeout.
  package func lock() throws(StorageError) {
    if isHeldByCurrentThread { throw nested }
    try wait()
  }

  /// Acquires the lock, which the calling thread may already hold.
  ///
  /// Each call requires a call of ``unlock()``, the last of which releases the lock.
  ///
  /// - Throws: ``StorageError/Code/locked`` after the timeout.
  package func lockRecursively() throws(StorageError) {
    if !isHeldByCurrentThread { return try wait() }
    depth.add(1, ordering: .relaxed)
  }

  /// Ends one acquisition of the lock by the calling thread; the last such call releases the lock.
  package func unlock() {
    if depth.subtract(1, ordering: .relaxed).newValue > 0 { return }
    holder.store(0, ordering: .relaxed)
    threads.unlock()
  }

  private func wait() throws(StorageError) {
    guard threads.lock(timeout: timeout) else { throw late }
    holder.store(CurrentThread.number, ordering: .relaxed)
    depth.store(1, ordering: .relaxed)
  }

  private var target: String { backend.map { "the backend \(quoted($0))" } ?? "the backend" }

  private var nested: StorageError {
    StorageError(
      .misuse,
      "cannot write to \(target): this thread is already inside a write to the same backend",
      suggestion: """
        make all changes in one call of edit(_:_:), and do not write to this backend in an \
        interceptor
        """,
      backend: backend)
  }

  private var late: StorageError {
    StorageError(
      .locked,
      """
      cannot write to \(target): other threads were writing to the same backend until the lock \
      timeout of \(timeout) expired
      """,
      suggestion: """
        make edits shorter, and do not write to another backend within an edit, because two such \
        edits can wait for each other
        """,
      backend: backend)
  }
}
