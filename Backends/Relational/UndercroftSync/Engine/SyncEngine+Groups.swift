public import UndercroftSQLite

extension SyncEngine {
  /// Runs `body` in a transaction whose changes the server applies together or not at all.
  ///
  /// Use this function for changes of several rows that are wrong without each other, such as the
  /// transfer of a copy from one branch to another. If the server cannot apply one of the
  /// changes, it applies none of them, and each is a conflict of this device. For example, another
  /// device has deleted the row, the policy is ``ConflictPolicy/ask``, or the server's validation
  /// rejects the change. A value that loses against a concurrent change of the same column is a
  /// conflict, but does not affect the other changes. The other devices pull the rows of a group
  /// one by one, so they can show some rows earlier than others.
  ///
  /// A group contains changes of one scope. If `body` changes tables of another scope, the server
  /// of that scope decides about these changes separately. Inside the closure of another call, the
  /// changes become part of the outer group.
  ///
  /// - Parameter body: a closure that changes rows through the connection that it receives.
  /// - Throws: ``StorageError/Code/tooLarge`` if the group has more changed rows than a packet can
  ///   contain; the errors of `Database.write(lock:from:_:)`, and all errors of `body`, unchanged.
  ///   If this function throws, nothing has changed.
  @discardableResult
  public func writeGroup<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    let result = try runner.replica.writeGroup(body)
    noteChange()
    return result
  }
}
