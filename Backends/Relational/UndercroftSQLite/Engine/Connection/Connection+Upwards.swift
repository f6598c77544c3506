import CSQLite
package import UndercroftCore

// The part of a connection that the relational and migration layers use, and applications do not.

extension Connection {
  /// Returns whether ``mark(_:)`` was called with this object since the last change of the schema
  /// that this connection has noticed.
  package func isMarked(_ object: AnyObject) -> Bool { state.isMarked(object) }

  /// Records that a check of the schema, identified by `object`, has passed.
  package func mark(_ object: AnyObject) { state.mark(object) }

  /// The number of rows that were changed since the connection was opened.
  /// (`sqlite3_total_changes64`)
  package var totalChangeCount: Int { Int(sqlite3_total_changes64(raw)) }

  /// Whether a commit would fail now because of a deferred foreign key.
  /// (`SQLITE_DBSTATUS_DEFERRED_FKS`)
  package var hasUnresolvedForeignKeys: Bool {
    var (current, highest): (Int32, Int32) = (0, 0)
    sqlite3_db_status(raw, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
    return current != 0
  }

  /// Throws if the open transaction can no longer be committed, whatever statements follow.
  ///
  /// - Throws: the error of the commit, if SQLite has rolled the transaction back, or if a part of
  ///   it could not be rolled back.
  package func requireCommittable() throws(StorageError) {
    if let error = state.pendingRollback { throw error }
    guard isInTransaction else { throw Self.endedBefore }
  }

  /// Whether the connection may write.
  package var isWriter: Bool { mayWrite }

  /// The owner of the schema, which may change the columns of a table.
  package var schemaOwner: SchemaOwner { state.schemaOwner }
}
