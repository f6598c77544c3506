/// A lease of all connections of a pool, which are closed until the lease is released.
struct ExclusiveLease: ~Copyable {
  /// The pool, or `nil` for a lease inside another exclusive lease.
  let pool: ConnectionPool?
  /// The state of the pool before this lease, which is restored at the end of a temporary lease.
  let before: ConnectionPool.State

  /// Returns the connections to the pool, which opens them on demand.
  borrowing func release() { pool?.release(self) }
}
