import UndercroftCore

/// An observer of the statements of one connection, which can also refuse statements.
protocol StatementMonitor: AnyObject {
  /// Whether the monitor depends on the recorded tables that each statement reads and writes.
  ///
  /// Another connection can change the schema, for example by adding a trigger. The recorded tables
  /// of a compiled statement are then outdated. If the value is `true`, the connection therefore
  /// checks at the beginning of each write whether the schema has changed.
  var dependsOnSchema: Bool { get }
  /// Called before a statement is used.
  ///
  /// Throwing an error refuses the statement.
  ///
  /// - Parameter sql: the SQL of the caller, or `nil` for a statement of the engine.
  func willRun(_ sql: SQL?, _ access: StatementAccess) throws
  /// Called before each run of a statement, which can be run several times after one call of
  /// ``willRun(_:_:)``.
  ///
  /// Throwing an error refuses the run.
  func willStep(_ access: StatementAccess) throws(StorageError)
  /// Returns whether the monitor may refuse a statement after the statement was run.
  ///
  /// Such a refusal undoes the statement.
  func mayRefuseAfterwards(_ access: StatementAccess) -> Bool
  /// Called after the use of a statement has ended without an error.
  ///
  /// Throwing an error refuses the statement. If ``mayRefuseAfterwards(_:)`` has returned `true`,
  /// the statement is undone.
  func didRun(_ access: StatementAccess) throws
  /// Called after a run of a statement has failed.
  ///
  /// The access is `nil` for a statement that begins or ends a transaction.
  func didFail(_ access: StatementAccess?)
  /// Called after a transaction or a savepoint has begun or ended.
  func didRun(_ control: TransactionControl)
  /// Called after the schema may have changed.
  func schemaDidChange()
}

extension StatementMonitor {
  var dependsOnSchema: Bool { true }
  func willRun(_ sql: SQL?, _ access: StatementAccess) throws {}
  func willStep(_ access: StatementAccess) throws(StorageError) {}
  func mayRefuseAfterwards(_ access: StatementAccess) -> Bool { false }
  func didRun(_ access: StatementAccess) throws {}
  func didFail(_ access: StatementAccess?) {}
  func didRun(_ control: TransactionControl) {}
  func schemaDidChange() {}
}
