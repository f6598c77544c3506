import UndercroftCore

extension Connection {
  /// Returns the tables, indexes, views and triggers of a database, in the order in which they were
  /// created. (`sqlite_schema`)
  ///
  /// - Parameter database: "main", or the name of an attached database.
  public func schema(of database: String = "main") throws -> [SchemaObject] {
    try require(database: database)
    let sql: SQL = """
      SELECT type, name, tbl_name, sql FROM \(identifier: database).sqlite_schema
      WHERE type IN ('table', 'index', 'view', 'trigger') ORDER BY rowid
      """
    return try fetchAll(sql) { row in
      SchemaObject(
        kind: SchemaObject.Kind(rawValue: try row[0]) ?? .table, name: try row[1],
        table: try row[2], sql: try row[3])
    }
  }

  /// Returns whether a table or view with the name `name` exists.
  ///
  /// The case of ASCII letters is ignored.
  public func tableExists(_ name: String, in database: String = "main") throws -> Bool {
    try require(database: database)
    let sql: SQL = """
      SELECT 1 FROM \(identifier: database).sqlite_schema
      WHERE type IN ('table', 'view') AND name = \(name) COLLATE NOCASE
      """
    return try fetchOne(sql) { _ in true } ?? false
  }

  /// Returns the columns of a table or view in their order. (`PRAGMA table_xinfo`)
  ///
  /// - Parameters:
  ///   - table: the name of the table or view.
  ///   - database: "main", or the name of an attached database.
  /// - Throws: ``StorageError/Code/misuse`` if there is no such table or view.
  public func columns(of table: String, in database: String = "main") throws -> [SchemaColumn] {
    guard try tableExists(table, in: database) else {
      throw StorageError.sqliteMisuse(
        """
        cannot list the columns of \(quoted(table)): the database \(quoted(database)) has no table \
        or view with this name
        """,
        suggestion: "check the spelling; db.schema(of:) returns the tables and views")
    }
    let sql: SQL = """
      SELECT name, type, "notnull", dflt_value, pk, hidden
      FROM pragma_table_xinfo(\(table), \(database)) WHERE hidden <> 1 ORDER BY cid
      """
    return try fetchAll(sql) { row in
      SchemaColumn(
        name: try row[0], type: try row[1], isRequired: try row[2], defaultValue: try row[3],
        primaryKeyPosition: try row[4], isGenerated: try row[5] as Int > 1)
    }
  }

  /// Returns whether a table or view has a column with the name `column`.
  ///
  /// The case of ASCII letters is ignored.
  public func columnExists(
    _ column: String, of table: String, in database: String = "main"
  ) throws -> Bool {
    guard try tableExists(table, in: database) else { return false }
    let sql: SQL = """
      SELECT 1 FROM pragma_table_xinfo(\(table), \(database))
      WHERE name = \(column) COLLATE NOCASE
      """
    return try fetchOne(sql) { _ in true } ?? false
  }

  /// Compiles a statement without running it, to check that it is valid for this schema.
  /// (`sqlite3_prepare_v3`)
  ///
  /// - Throws: the error that running the statement would throw before its first step.
  public func validate(_ sql: SQL) throws {
    if let failure = sql.failure { throw failure }
    // Interceptors and observers are not called, because nothing is run.
    let state = try state
    try state.withStatement(sql.text, isRun: false) { statement, _ in
      if !sql.arguments.isEmpty { try statement.bind(sql.arguments) }
    }
  }
}
