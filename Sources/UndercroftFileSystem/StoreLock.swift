import Synchronization
package import UndercroftCore

/// The lock of a store: one writer among all threads and processes, for which readers need not wait.
package final class StoreLock: Sendable {
  private let lock: Mutex<FileLock>
  private let timeout: Duration

  /// Takes over the lock between processes, which is waited for at most `timeout`.
  package init(_ lock: consuming FileLock, timeout: Duration) {
    self.lock = Mutex(lock)
    self.timeout = timeout
  }

  /// Runs `body` as the only writer.
  ///
  /// - Throws: ``StorageError/Code/locked`` when another process does not let go in time.
  package func withLock<Result: Sendable>(
    _ body: (borrowing FileLock) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    try lock.withLock { (lock) throws(StorageError) in
      try lock.lock(timeout: timeout)
      defer { lock.unlock() }
      return try body(lock)
    }
  }
}
