import Dispatch
import UndercroftCore

/// The pool of reader connections.
///
/// The size of the pool is fixed. If all connections are in use, further reads wait for a free
/// connection.
final class ReaderPool: Sendable {
  private let connections: [PooledConnection]
  /// A semaphore that counts the free connections.
  ///
  /// A thread that passes the semaphore is certain to find a free connection.
  private let free: DispatchSemaphore

  init(
    _ count: Int, path: String,
    _ open: @escaping @Sendable (Interruption?) throws(StorageError) -> SQLiteHandle
  ) {
    connections = (0..<count).map { _ in PooledConnection(path, open) }
    free = DispatchSemaphore(value: count)
  }

  deinit {
    for pooled in connections { pooled.close() }
  }

  /// Returns whether the calling thread, which has the number `thread`, holds a connection.
  func isHeld(by thread: UInt) -> Bool {
    connections.withUnsafeBufferPointer { connections in
      for index in connections.indices where connections[index].isHeld(by: thread) { return true }
      return false
    }
  }

  /// The reader that the calling thread holds, or `nil` if the thread holds no reader.
  var heldByCurrentThread: PooledConnection? {
    // The number is read once, because reading it takes longer than comparing it.
    let thread = CurrentThread.number
    // An iterator would retain each connection.
    for index in connections.indices where connections[index].isHeld(by: thread) {
      return connections[index]
    }
    return nil
  }

  /// Acquires a free connection, and waits if all connections are in use.
  ///
  /// The first free connection is acquired, so that the pool opens only as many connections as are
  /// used at the same time.
  ///
  /// - Returns: the connection, or `nil` if the timeout has passed or `interruption` was cancelled.
  func acquire(timeout: Duration, interruption: Interruption?) -> PooledConnection? {
    guard isFree(within: timeout, interruption) else { return nil }
    while true {
      for index in connections.indices where connections[index].tryAcquire() {
        return connections[index]
      }
    }
  }

  /// Waits until a connection is free, reserves it by decrementing the semaphore, and returns
  /// `true`.
  ///
  /// Returns `false` if the timeout has passed or `interruption` was cancelled.
  ///
  /// The clock is read only if the calling thread has to wait: reading it costs as much as the rest
  /// of this function.
  private func isFree(within timeout: Duration, _ interruption: Interruption?) -> Bool {
    if free.wait(timeout: DispatchTime(uptimeNanoseconds: 0)) == .success { return true }
    let deadline = DispatchTime.now() + .nanoseconds(Int(clamping: timeout.nanoseconds))
    return free.wait(until: deadline, isCancelled: interruption?.cancellationCheck)
  }

  /// Returns a connection to the pool.
  func release(_ pooled: PooledConnection) {
    pooled.release()
    free.signal()
  }

  /// Interrupts the running statements of all readers. (`sqlite3_interrupt`)
  func interrupt() {
    for pooled in connections { pooled.interrupt() }
  }

  /// Closes the connections that no thread uses.
  func closeIdle() {
    for pooled in connections where free.wait(timeout: .now()) == .success {
      if pooled.tryAcquire() {
        pooled.close()
        pooled.release()
      }
      free.signal()
    }
  }

  /// Acquires all readers and returns `true`, or acquires no reader and returns `false` if a reader
  /// is still in use after the timeout.
  func acquireAll(timeout: Duration) -> Bool {
    let deadline = DispatchTime.now() + .nanoseconds(Int(clamping: timeout.nanoseconds))
    for acquired in connections.indices {
      if free.wait(timeout: deadline) == .success { continue }
      for _ in 0..<acquired { free.signal() }
      return false
    }
    return true
  }

  /// Releases all readers after ``acquireAll(timeout:)``.
  func releaseAll() {
    for _ in connections { free.signal() }
  }

  /// Closes all connections.
  ///
  /// The caller must have acquired all connections with ``acquireAll(timeout:)``.
  func closeAll() {
    for pooled in connections { pooled.close() }
  }
}
