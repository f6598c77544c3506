/// The point in a writing transaction at which it acquires the lock that excludes other writers.
public enum TransactionLock: Sendable, CaseIterable {
  /// Acquires the lock at the first writing statement. (`BEGIN DEFERRED`)
  ///
  /// That statement fails immediately if another connection has committed since the first read of
  /// this transaction.
  case deferred
  /// Acquires the lock when the transaction begins, so that no later statement can fail because of
  /// the lock. (`BEGIN IMMEDIATE`)
  case immediate
  /// Acquires the lock when the transaction begins, and excludes readers as well if the journal is
  /// not a write-ahead log. (`BEGIN EXCLUSIVE`)
  case exclusive
}
