import UndercroftSQLite

// Every statement on a writing connection calls `ensureSchema(in:)` for the tables that the
// statement uses: reads in `CommonTableExpressions.swift`, writes in `Table+Writing.swift`.
extension TableDefinition {
  /// Reconciles the table in the file with its declaration, once for each
  /// connection and version of the schema.
  ///
  /// Creates a missing table, adds missing columns, and updates indexes (see ``SchemaReconciler``).
  /// For a derived table, reconciles the source tables of its rows. The connection must be a
  /// writing connection.
  // Swift 6.3 crashes if it inlines this method into a loop.
  @inline(never)
  func ensureSchema(in db: Connection) throws {
    if isVerified(in: db) { return }
    if let failure { throw failure }
    switch source {
    case nil: try SchemaReconciler(of: self).run(in: db)
    case .derived(let rows): try rows.ensureSchema(in: db)
    case .fullTextIndex(let indexed): try indexed.ensureSchema(in: db)
    }
  }
}
