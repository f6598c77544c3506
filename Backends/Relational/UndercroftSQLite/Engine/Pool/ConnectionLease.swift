import UndercroftCore

/// The use of a pooled connection by one thread, from ``ConnectionPool/acquire(_:interruption:)``
/// to ``release()``.
struct ConnectionLease: ~Copyable {
  /// Whether the thread already held the connection when the lease began.
  enum Scope {
    case outermost
    /// A lease inside another lease of the same connection; `wasWriting` is whether the thread was
    /// inside a write before.
    case nested(wasWriting: Bool)

    var isOutermost: Bool {
      switch self {
      case .outermost: true
      case .nested: false
      }
    }
  }

  let connection: Connection
  let state: ConnectionState
  let pool: ConnectionPool
  let pooled: PooledConnection
  let scope: Scope
  /// The connection's count of schema changes when the lease began.
  ///
  /// If the count is higher at the end of the lease, the pool's readers discard their records of
  /// passed schema checks.
  let schemaChangeCount: Int

  /// Checks at the end of the outermost lease that the result of the read or write is valid.
  ///
  /// - Throws: an error if a transaction is still open, or if another process has changed a file
  ///   that is read without locks.
  borrowing func requireEnded() throws(StorageError) {
    guard scope.isOutermost else { return }
    if state.isInTransaction {
      throw state.pendingRollback ?? Connection.leftOpen(on: state.databaseName)
    }
    if let file = state.immutableFile, !file.isUnchanged { throw pool.changedDuringRead }
  }

  /// Ends the lease, and returns the connection to the pool if the lease is the outermost.
  borrowing func release() { pool.release(self) }
}
