import Synchronization
import UndercroftCore

/// A pooled connection, opened at first use and used by one thread at a time.
final class PooledConnection: Sendable {
  /// The path of the file, for error messages; `nil` in memory.
  private let path: String?
  private let open: @Sendable (Interruption?) throws(StorageError) -> SQLiteHandle
  private let handle = Mutex<SQLiteHandle?>(nil)
  /// The number of the thread that holds the connection, or 0 if no thread holds it.
  private let holder = Atomic<UInt>(0)
  /// Whether the holder is inside a write.
  ///
  /// Only the holder reads this value.
  private let isWriting = Atomic<Bool>(false)
  /// The number of times that ``state(isOutermost:interruption:)`` has opened the
  /// connection.
  ///
  /// Only the holder reads this value.
  let openCount = Atomic<Int>(0)
  /// Whether the holder is opening the connection.
  ///
  /// Only the holder reads this value.
  private let isOpening = Atomic<Bool>(false)

  /// Creates a pooled connection, which is not open yet.
  ///
  /// - Parameters:
  ///   - path: the path of the file, or `nil` in memory.
  ///   - open: a closure that opens the connection. If the interruption that the closure receives
  ///     is cancelled, the wait for a lock of another process ends.
  init(
    _ path: String?,
    _ open: @escaping @Sendable (Interruption?) throws(StorageError) -> SQLiteHandle
  ) {
    self.path = path
    self.open = open
  }

  // MARK: Ownership

  /// Whether the calling thread holds the connection.
  var isHeldByCurrentThread: Bool { isHeld(by: CurrentThread.number) }

  /// Returns whether the calling thread, which has the number `thread`, holds the connection.
  func isHeld(by thread: UInt) -> Bool {
    // Only this thread can have stored its own number, so a relaxed read suffices.
    holder.load(ordering: .relaxed) == thread
  }

  /// Whether the calling thread holds the connection for a write.
  var isWritingOnCurrentThread: Bool { isHeldByCurrentThread && isWriting.load(ordering: .relaxed) }

  /// Acquires the connection for the calling thread without waiting, and returns `false` if the
  /// connection is already held.
  func tryAcquire() -> Bool {
    holder.compareExchange(
      expected: 0, desired: CurrentThread.number, ordering: .acquiring
    ).exchanged
  }

  /// Makes the calling thread the holder of the connection.
  ///
  /// The caller must hold the lock that guards the connection. Without a lock, use
  /// ``tryAcquire()``.
  ///
  /// - Parameter writing: whether the connection is held for a write.
  func acquire(writing: Bool) {
    // Pairs with the atomic release in `release()`: the changes of the previous holder become
    // visible, however the lock was handed over.
    _ = holder.load(ordering: .acquiring)
    holder.store(CurrentThread.number, ordering: .relaxed)
    isWriting.store(writing, ordering: .relaxed)
  }

  /// Sets whether the holder is inside a write.
  func setWriting(_ writing: Bool) { isWriting.store(writing, ordering: .relaxed) }

  func release() { holder.store(0, ordering: .releasing) }

  // MARK: The connection

  /// Returns the state of the connection, and opens the connection if it is not open.
  ///
  /// The caller must ensure that no other thread uses the connection.
  ///
  /// - Parameters:
  ///   - isOutermost: whether the holder has no other use of the connection. Only in this case, a
  ///     connection that reads the file without locks is reopened if the file has changed.
  ///   - interruption: if it is cancelled, the wait for the lock of another process ends.
  func state(
    isOutermost: Bool = false, interruption: Interruption? = nil
  ) throws(StorageError) -> ConnectionState {
    // The mutex is held only briefly, because only the holder opens or closes the connection. The
    // connection remains open until the holder releases it.
    if let state = current {
      guard isOutermost, let file = state.immutableFile, !file.isUnchanged else { return state }
      // An immutable connection does not notice the changes of other processes.
      close()
    }
    // Not under the mutex: opening runs the caller's closures, which may call this function again.
    guard !isOpening.exchange(true, ordering: .relaxed) else { throw ConnectionPool.inSetUp(path) }
    defer { isOpening.store(false, ordering: .relaxed) }
    let opened = try open(interruption)
    opened.state.busyPolicy.interruption = nil
    store(opened)
    openCount.add(1, ordering: .relaxed)
    guard let current else { throw ConnectionPool.closed(path) }
    return current
  }

  /// Interrupts the running statement of the holder.
  ///
  /// Does nothing if no thread holds the connection.
  func interrupt() {
    guard holder.load(ordering: .relaxed) != 0 else { return }
    handle.withLock { handle in
      switch handle {
      case .some(let handle): handle.state.interrupts.interrupt()
      case .none: break
      }
    }
  }

  /// Rolls back the transaction that the holder has left open, if any.
  ///
  /// If the rollback fails, closes the connection, which also rolls back.
  func endTransaction() {
    guard let current else { return }
    do throws(StorageError) { try current.rollBack() } catch { close() }
  }

  private var current: ConnectionState? {
    handle.withLock { handle in
      switch handle {
      case .some(let handle): handle.state
      case .none: nil
      }
    }
  }

  /// Stores an open connection, and closes the previously stored connection.
  func store(_ handle: consuming SQLiteHandle) {
    var handle: SQLiteHandle? = handle
    let old = self.handle.withLock { stored in
      let old = stored.take()
      stored = handle.take()
      return old
    }
    _ = consume old
  }

  func close() {
    // Released outside of the mutex: SQL functions of the connection may own objects that use the
    // database when they are released.
    let old = handle.withLock { $0.take() }
    _ = consume old
  }
}
