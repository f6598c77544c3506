import UndercroftCore
public import UndercroftSQLite

extension TableQuery {
  /// Deletes the rows of the query, and returns the number of deleted rows.
  @discardableResult
  public func delete(in db: Connection) throws -> Int {
    try db.execute(try deletion(in: db))
  }

  /// Deletes the rows of the query, and returns the deleted records, in no particular order.
  public func deleteAndFetch(in db: Connection) throws -> [Record] {
    try table.returnedRecords { receive in try delete(in: db, receive) }
  }

  /// Deletes the rows of the query, and returns one stored value of each deleted row, in no
  /// particular order: `delete(returning: \.id, in: db)` returns the keys.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` if a stored value is NULL.
  public func delete<Value: ColumnValue>(
    returning path: KeyPath<Record, Value>, in db: Connection
  ) throws -> [Value.Unwrapped] {
    try table.returnedValues(of: path) { receive in try delete(in: db, receive) }
  }

  /// Sets columns of the rows of the query, and returns the number of updated rows, or 0 if no
  /// column is set: `update(in: db) { $0.rating += 1 }`.
  @discardableResult
  public func update(
    in db: Connection, _ assignments: (inout Assignments<Record>) throws -> Void
  ) throws -> Int {
    guard let sql = try update(assignments, in: db) else { return 0 }
    return try table.update(sql, in: db)
  }

  /// Sets columns of the rows of the query, and returns the updated records as stored, in no
  /// particular order.
  ///
  /// If no column is set, the records of the query are returned unchanged.
  public func updateAndFetch(
    in db: Connection, _ assignments: (inout Assignments<Record>) throws -> Void
  ) throws -> [Record] {
    try table.returnedRecords { receive in try update(assignments, in: db, receive) }
  }

  /// Sets columns of the rows of the query, and returns one value of
  /// each updated row as stored, in no particular order.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` if a stored value is NULL.
  public func update<Value: ColumnValue>(
    returning path: KeyPath<Record, Value>, in db: Connection,
    _ assignments: (inout Assignments<Record>) throws -> Void
  ) throws -> [Value.Unwrapped] {
    try table.returnedValues(of: path) { receive in try update(assignments, in: db, receive) }
  }

  // MARK: Implementation

  private func delete(in db: Connection, _ body: (borrowing Row) throws -> Void) throws {
    let sql = try deletion(in: db) + SQL(unchecked: table.statements.returning)
    // If `body` throws, the statement ends before SQLite checks foreign keys. The transaction then
    // rolls back the deletions.
    try db.transaction { db in try db.forEach(sql, body) }
  }

  private func update(
    _ assignments: (inout Assignments<Record>) throws -> Void, in db: Connection,
    _ body: (borrowing Row) throws -> Void
  ) throws {
    guard let sql = try update(assignments, in: db) else {
      return try db.forEach(try records(in: db), body)
    }
    try db.transaction { db in try table.update(sql, in: db, body) }
  }

  private func deletion(in db: Connection) throws -> SQL {
    try table.prepareToWrite(in: db)
    return try ready("DELETE FROM \(identifier: table.name)\(rows)", in: db)
  }

  /// Returns the statement of an update, or `nil` if no column is set.
  private func update(
    _ assignments: (inout Assignments<Record>) throws -> Void, in db: Connection
  ) throws -> SQL? {
    let assignments = try Assignments.collected(by: assignments, of: table)
    try table.prepareToWrite(in: db)
    if assignments.isEmpty { return nil }
    var sql = table.statements.setting
    assignments.write(to: &sql, of: table.definition)
    sql += rows
    return try TableDefinition.ready(
      sql, reading: tables + assignments.flatMap(\.tables), in: db)
  }

  /// The `WHERE` clause that selects the rows of the query, or empty SQL for all rows.
  ///
  /// A query with a limit, an offset or a search becomes a subquery, because by default, `DELETE`
  /// and `UPDATE` in SQLite accept only a condition.
  private var rows: SQL {
    if limit == nil, offset == 0, search == nil {
      return condition.map { " WHERE \($0.sql)" } ?? ""
    }
    return " WHERE (\(rowName)) IN (\(select(rowName)))"
  }

  /// The columns that identify a row: the primary key, or the rowid if there is no primary key or
  /// if the key can be NULL.
  private var rowName: SQL {
    let (table, statements) = (table.definition, table.statements)
    let isCertain =
      statements.isKeyGenerated || !table.hasRowID
      || !statements.keyColumnIndices.isEmpty
        && statements.keyColumnIndices.allSatisfy { !table.columns[$0].isOptional }
    if isCertain { return SQL(unchecked: DMLBuilder.names(statements.keyColumnIndices, of: table)) }
    // A column can have one of SQLite's names of the rowid. The name then refers to the column.
    let name = ["rowid", "_rowid_", "oid"].first { table.column($0) == nil }
    return name.map { SQL(unchecked: $0) }
      ?? SQL(
        failing: StorageError(
          .misuse,
          """
          cannot identify the rows of \(quoted(table.name)): the columns rowid, _rowid_ and oid of \
          the table hide the rowid of SQLite
          """,
          suggestion: """
            declare a primary key that is not optional, or use a query without limit, offset and \
            search
            """,
          backend: "sqlite"))
  }
}
