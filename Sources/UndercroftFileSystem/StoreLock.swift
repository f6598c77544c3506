import Synchronization
package import UndercroftCore

/// The lock of a store: one writer among all threads and processes, for which readers need not wait.
///
/// The thread that holds it may acquire it again.
package final class StoreLock: Sendable {
  /// Serialises the threads of this process, and knows which of them holds the lock.
  private let threads: WriterLock
  /// Excludes other openers and processes; used by the thread alone that holds `threads`.
  private let file: FileLock
  /// Whether the lock between processes is held; used by the thread alone that holds `threads`.
  private let isFileLocked = Atomic<Bool>(false)
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

  /// Runs `body` while the other threads that use this lock wait, and other processes do not; ``withLock(_:)`` can be nested.
  package func withThreadLock<Result, Failure: Error>(
    orThrow wrap: (StorageError) -> Failure, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try threads.withRecursiveLock(orThrow: wrap, body)
  }
}
