import Synchronization
package import UndercroftCore

/// The writer lock of a store, which allows one writer
/// among all threads and processes; readers do not wait.
///
/// The thread that holds the lock may acquire it again.
package final class StoreLock: Sendable {
  /// Excludes the other threads of this process, and knows which thread holds the lock.
  private let threads: WriterLock
  /// Excludes other instances and processes; only the thread that holds `threads` uses it.
  private let file: FileLock
  /// Whether the lock between processes is held; only the thread that holds `threads` uses it.
  private let isFileLocked = Atomic<Bool>(false)
  private let timeout: Duration

  /// Creates a store lock from a lock between processes, which is waited for at most for `timeout`.
  package init(_ lock: consuming FileLock, timeout: Duration) {
    file = lock
    // Another thread of this process may run an
    // application's edit, which takes longer than a write.
    threads = WriterLock(timeout: max(timeout, .seconds(10)))
    self.timeout = timeout
  }

  /// Runs `body` as the only writer.
  ///
  /// - Throws: ``StorageError/Code/locked`` if another
  ///   process or thread holds the lock for too long.
  package func withLock<Result>(
    _ body: (borrowing FileLock) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    try withLock(orThrow: { $0 }, body)
  }

  /// Runs `body` as the only writer, and converts errors of the lock itself with `wrap`.
  package func withLock<Result, Failure: Error>(
    orThrow wrap: (StorageError) -> Failure,
    _ body: (borrowing FileLock) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withThreadLock(orThrow: wrap) { () throws(Failure) in
      if isFileLocked.load(ordering: .relaxed) { return try body(file) }
      do throws(StorageError) {
        try file.lock(timeout: timeout)
      } catch {
        throw wrap(error)
      }
      isFileLocked.store(true, ordering: .relaxed)
      defer {
        isFileLocked.store(false, ordering: .relaxed)
        file.unlock()
      }
      return try body(file)
    }
  }

  /// Runs `body` while other threads wait for this lock, but other processes do not.
  ///
  /// Within `body`, ``withLock(_:)`` can be called.
  package func withThreadLock<Result, Failure: Error>(
    orThrow wrap: (StorageError) -> Failure, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try threads.withRecursiveLock(orThrow: wrap, body)
  }
}
