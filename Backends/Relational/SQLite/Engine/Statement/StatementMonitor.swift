import UndercroftCore

/// Is told of the statements of one connection while it wants to know.
protocol StatementMonitor: AnyObject {
  /// Whether it goes by what statements read and write, which another connection's change of the schema may alter.
  var goesByTables: Bool { get }
  /// A statement was asked for; throwing refuses it. `sql` is `nil` for the engine's own.
  func willRun(_ sql: SQL?, _ access: StatementAccess) throws
  /// It is about to be run, perhaps not for the first time.
  func willStep(_ access: StatementAccess) throws(StorageError)
  /// Whether it may refuse this statement when that has been run, which is then undone.
  func mayRefuseAfterwards(_ access: StatementAccess) -> Bool
  /// Whoever asked for it is done with it, without an error.
  func didRun(_ access: StatementAccess) throws
  /// A run of it has failed; `nil` for one that begins or ends a transaction.
  func didFail(_ access: StatementAccess?)
  /// A transaction or a part of one was begun or ended.
  func didRun(_ control: TransactionControl)
  /// Tables may be others than they were.
  func schemaDidChange()
}

extension StatementMonitor {
  var goesByTables: Bool { true }
  func willRun(_ sql: SQL?, _ access: StatementAccess) throws {}
  func willStep(_ access: StatementAccess) throws(StorageError) {}
  func mayRefuseAfterwards(_ access: StatementAccess) -> Bool { false }
  func didRun(_ access: StatementAccess) throws {}
  func didFail(_ access: StatementAccess?) {}
  func didRun(_ control: TransactionControl) {}
  func schemaDidChange() {}
}
