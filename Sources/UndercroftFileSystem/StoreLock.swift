import Synchronization
package import UndercroftCore

/// The writer lock of a store, which allows one writer
/// among all threads and processes; readers do not wait.
///
/// The thread that holds the lock can acquire it again.
package final class StoreLock: Sendable {
  /// The lock among the threads of this process, which also records its owner thread.
  private let threads: WriterLock
  /// The lock among the instances of the store, in all processes; only the thread that holds
  /// `threads` uses it.
  private let file: FileLock
  /// The number of calls of ``unlock()`` that are still
  /// needed to release the lock between processes.
  ///
  /// Only the thread that holds `threads` uses this number.
  private let fileDepth = Atomic<Int>(0)
  private let timeout: Duration
  private let backend: String?

  /// Creates a store lock from a lock between processes,
  /// for which a writer waits at most for `timeout`.
  ///
  /// - Parameter backend: the short name of the backend, for the errors that the lock throws.
  package init(_ lock: consuming FileLock, timeout: Duration, backend: String? = nil) {
    file = lock
    // Another thread of this process may run an
    // application's edit, which takes longer than a write.
    threads = WriterLock(timeout: max(timeout, .seconds(10)), backend: backend)
    self.timeout = timeout
    self.backend = backend
  }

  /// Excludes all other writers until the calling thread calls ``unlock()``.
  ///
  /// - Throws: ``StorageError/Code/locked`` if another
  ///   process or thread holds the lock for too long.
  package func lock() throws(StorageError) {
    try lockThreads()
    do throws(StorageError) {
      if fileDepth.load(ordering: .relaxed) == 0 { try file.lock(timeout: timeout) }
    } catch {
      unlockThreads()
      throw error.naming(backend: backend)
    }
    fileDepth.add(1, ordering: .relaxed)
  }

  /// Ends one ``lock()`` of the calling thread; the last such call releases the lock.
  package func unlock() {
    if fileDepth.subtract(1, ordering: .relaxed).newValue == 0 { file.unlock() }
    unlockThreads()
  }

  /// Excludes the other threads of this process until the calling thread
  /// calls ``unlockThreads()``; other processes are not excluded.
  ///
  /// - Throws: ``StorageError/Code/locked`` if another thread holds the lock for too long.
  package func lockThreads() throws(StorageError) { try threads.lockRecursively() }

  /// Ends one ``lockThreads()`` of the calling thread; after the last
  /// such call, the other threads of this process can write again.
  package func unlockThreads() { threads.unlock() }

  /// Runs `body` as the only writer.
  ///
  /// - Throws: the errors that ``lock()`` and `body` throw.
  package func withLock<Result>(
    _ body: (borrowing FileLock) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    try lock()
    defer { unlock() }
    return try body(file)
  }
}
