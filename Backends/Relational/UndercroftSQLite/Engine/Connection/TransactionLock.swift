/// The point in a transaction at which it acquires the write lock, which excludes other writers.
public enum TransactionLock: Sendable, CaseIterable {
  /// The transaction acquires the write lock at its first writing statement. (`BEGIN DEFERRED`)
  ///
  /// The first writing statement fails immediately if another connection has committed since the
  /// first read of this transaction.
  case deferred
  /// The transaction acquires the write lock when it begins, so that no later statement can fail
  /// because of the lock. (`BEGIN IMMEDIATE`)
  case immediate
  /// The transaction acquires the write lock when it begins, and excludes readers as well if the
  /// journal is not a write-ahead log. (`BEGIN EXCLUSIVE`)
  case exclusive
}
