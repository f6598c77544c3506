/// When a writing transaction takes the lock that keeps other writers out.
public enum TransactionLock: Sendable, CaseIterable {
  /// At its first writing statement, which fails at once when somebody else has written since the first one that read. (`BEGIN DEFERRED`)
  case deferred
  /// At its beginning, so that it cannot fail for want of the lock later. (`BEGIN IMMEDIATE`)
  case immediate
  /// As ``immediate``; where the journal is no write-ahead log, readers are kept out too. (`BEGIN EXCLUSIVE`)
  case exclusive
}
