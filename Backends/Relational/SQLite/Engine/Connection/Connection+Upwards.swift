import CSQLite

// What the layers above need of a connection, and applications do not.

extension Connection {
  /// Whether ``mark(_:)`` was called with this object since the schema changed last, as far as this connection knows.
  package func isMarked(_ object: AnyObject) -> Bool { state.isMarked(object) }

  /// Remembers that something about the schema has been seen to be in order.
  package func mark(_ object: AnyObject) { state.mark(object) }

  /// How many rows were changed since it was opened. (`sqlite3_total_changes64`)
  package var totalChangeCount: Int { Int(sqlite3_total_changes64(raw)) }

  /// Whether a deferred foreign key would refuse a commit by now. (`SQLITE_DBSTATUS_DEFERRED_FKS`)
  package var hasUnresolvedForeignKeys: Bool {
    var (current, highest): (Int32, Int32) = (0, 0)
    sqlite3_db_status(raw, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
    return current != 0
  }

  /// Whether it may write.
  package var isWriter: Bool { mayWrite }

  /// Who may change the columns of a table.
  package var schemaOwner: SchemaOwner { state.schemaOwner }
}
