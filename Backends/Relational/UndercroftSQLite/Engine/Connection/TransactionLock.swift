/// The time at which a writing transaction acquires the lock that excludes other writers.
public enum TransactionLock: Sendable, CaseIterable {
  /// Acquires the lock at the first writing statement. (`BEGIN DEFERRED`)
  ///
  /// That statement fails immediately if another connection has committed since the first read of
  /// this transaction.
  case deferred
  /// Acquires the lock at the beginning, so that no later statement can fail because of it.
  /// (`BEGIN IMMEDIATE`)
  case immediate
  /// Acquires the lock at the beginning, and excludes readers as well if the journal is not a
  /// write-ahead log. (`BEGIN EXCLUSIVE`)
  case exclusive
}
