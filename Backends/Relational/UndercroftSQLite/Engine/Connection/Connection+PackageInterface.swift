import CSQLite
package import UndercroftCore

// The part of a connection that the relational and migration layers use, and applications do not.

extension Connection {
  /// Returns whether the schema check that `object` identifies has passed for the present schema.
  ///
  /// A writing connection first compares the version of the schema with the version for which the
  /// check has passed. A connection for reading does not compare the versions, so another
  /// connection may have changed the schema since the check passed.
  ///
  /// If no transaction is open, another connection may change the schema before the next statement.
  package func hasVerified(_ object: AnyObject) -> Bool {
    stateIfValid?.schemaChecks.hasPassed(object, mayWrite: mayWrite) ?? false
  }

  /// Records that the schema check that `object` identifies has passed.
  package func markVerified(_ object: AnyObject) { stateIfValid?.schemaChecks.markPassed(object) }

  /// Whether a commit would fail now because of a deferred foreign key.
  /// (`SQLITE_DBSTATUS_DEFERRED_FKS`)
  package var hasUnresolvedForeignKeys: Bool {
    guard let state = stateIfValid else { return false }
    var (current, highest): (Int32, Int32) = (0, 0)
    sqlite3_db_status(state.raw, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
    return current != 0
  }

  /// Throws if the open transaction can no longer be committed.
  ///
  /// - Throws: the error that a commit would throw, if SQLite has rolled back the transaction, or
  ///   if an earlier rollback has failed.
  package func requireCommittable() throws(StorageError) {
    let state = try state
    if let error = state.pendingRollback { throw error }
    guard state.isInTransaction else { throw Self.endedBefore(on: state.databaseName) }
  }

  /// Whether statements on this connection are allowed to write.
  package var isWriter: Bool { mayWrite }

  /// The owner of the schema: the component that is allowed to change the columns of a table.
  package var schemaOwner: SchemaOwner { stateIfValid?.schemaOwner ?? .tables }
}

extension Statement {
  /// Runs a writing statement to its end, and returns the number of rows that it inserted, changed
  /// or deleted. (`sqlite3_changes64`)
  ///
  /// Rows that triggers and foreign keys change are not counted.
  package func runCountingChanges() throws(StorageError) -> Int {
    let connection = sqlite3_db_handle(raw)
    let before = sqlite3_total_changes64(connection)
    try run()
    // SQLite does not reset the count if a statement writes nothing.
    return sqlite3_total_changes64(connection) == before
      ? 0 : Int(sqlite3_changes64(connection))
  }
}
