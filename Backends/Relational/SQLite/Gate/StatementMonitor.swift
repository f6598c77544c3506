import UndercroftCore

/// Is told of the statements of one connection while it wants to know.
protocol StatementMonitor: AnyObject {
  /// A caller's statement is about to be run; throwing refuses it.
  func willRun(_ sql: SQL, _ access: StatementAccess) throws
  /// A statement that was prepared by hand is about to be run, perhaps not for the first time.
  func willStep() throws(StorageError)
  /// It was run to its end.
  func didRun(_ access: StatementAccess) throws
  /// A statement of anybody's has failed, and has undone what it did itself.
  func didFail()
  /// A transaction or a part of one was begun or ended.
  func didRun(_ control: StatementCache.Control)
  /// Tables may be others than they were.
  func schemaDidChange()
}

extension StatementMonitor {
  func willRun(_ sql: SQL, _ access: StatementAccess) throws {}
  func willStep() throws(StorageError) {}
  func didRun(_ access: StatementAccess) throws {}
  func didFail() {}
  func didRun(_ control: StatementCache.Control) {}
  func schemaDidChange() {}
}
