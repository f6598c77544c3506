package import UndercroftCore

/// The lock of a store: one writer among all threads and processes, for which readers need not wait.
///
/// The thread that holds it may acquire it again.
package final class StoreLock: Sendable {
  /// Serialises the threads of this process, and knows which of them holds the lock.
  private let threads: WriterLock
  /// Excludes other openers and processes; used by the thread alone that holds `threads`.
  private let file: FileLock
  private let timeout: Duration

  /// Creates a lock over the one between processes, which is waited for at most `timeout`.
  package init(_ lock: consuming FileLock, timeout: Duration) {
    file = lock
    // A thread of the same process may run an application's edit, which takes longer than a write.
    threads = WriterLock(timeout: max(timeout, .seconds(10)))
    self.timeout = timeout
  }

  /// Runs `body` as the only writer.
  ///
  /// - Throws: ``StorageError/Code/locked`` if another process or thread holds the lock for too long.
  package func withLock<Result>(
    _ body: (borrowing FileLock) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    try withLock(orThrow: { $0 }, body)
  }

  /// Runs `body` as the only writer; errors of the lock itself pass through `wrap`.
  package func withLock<Result, Failure: Error>(
    orThrow wrap: (StorageError) -> Failure,
    _ body: (borrowing FileLock) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if threads.isHeldHere { return try body(file) }
    return try threads.withLock(orThrow: wrap) { () throws(Failure) in
      do throws(StorageError) {
        try file.lock(timeout: timeout)
      } catch {
        throw wrap(error)
      }
      defer { file.unlock() }
      return try body(file)
    }
  }
}
