/// An action that runs after a transaction and learns whether the transaction was committed.
struct TransactionEnding {
  let action: @Sendable (_ isCommitted: Bool) -> Void
  /// `nil` as long as the transaction is open, and after SQLite has rolled it back by itself.
  var isCommitted: Bool?

  func run() { action(isCommitted ?? false) }
}
