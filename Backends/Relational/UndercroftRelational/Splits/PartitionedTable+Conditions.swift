import UndercroftCore
public import UndercroftSQLite

// A condition or value that contains a subquery must read all partitions as they were before the
// call. In that case, the rows are found first and then written by their keys. Without a subquery,
// each partition is written by one statement.

extension PartitionedTable {
  /// Sets columns of the rows that satisfy a condition, and returns the number of updated rows.
  ///
  /// If one update fails, no row is changed.
  ///
  /// - Throws: ``StorageError/Code/misuse`` for an assignment to the
  ///   primary key, because the key determines the partition of the row.
  @discardableResult
  public func update(
    where condition: (Columns<Record>) -> Condition, in db: Connection,
    _ assignments: (inout Assignments<Record>) throws -> Void
  ) throws -> Int {
    try prepareToWrite(in: db)
    let values = try Assignments.collected(by: assignments, of: table)
    try requireNoKey(values)
    let found = condition(table.columns)
    return try db.transaction { db in
      if found.readsOtherRows || values.contains(where: \.readsOtherRows) {
        return try update(found, values, in: db)
      }
      var count = 0
      for part in parts { count += try part.where(condition).update(in: db, assignments) }
      return count
    }
  }

  /// Sets columns of the rows that satisfy a condition, and returns the
  /// updated records as stored, in the order of their keys.
  ///
  /// If one update fails, no row is changed.
  ///
  /// - Throws: The same errors as ``update(where:in:_:)``.
  public func updateAndFetch(
    where condition: (Columns<Record>) -> Condition, in db: Connection,
    _ assignments: (inout Assignments<Record>) throws -> Void
  ) throws -> [Record] {
    try prepareToWrite(in: db)
    return try db.transaction { db in
      let keys = try keys(where: condition(table.columns), in: db)
      try update(where: condition, in: db, assignments)
      return try keys.compactMap { key in try part(of: key).find(key, in: db) }
    }
  }

  /// Deletes the rows that satisfy a condition, and returns the number of deleted rows.
  ///
  /// If one deletion fails, no row is deleted.
  @discardableResult
  public func delete(
    where condition: (Columns<Record>) -> Condition, in db: Connection
  ) throws -> Int {
    try prepareToWrite(in: db)
    let found = condition(table.columns)
    return try db.transaction { db in
      var count = 0
      if found.readsOtherRows {
        for key in try keys(where: found, in: db) {
          count += try part(of: key).delete(key: key, in: db)
        }
      } else {
        for part in parts { count += try part.where(condition).delete(in: db) }
      }
      return count
    }
  }

  /// Deletes the rows that satisfy a condition, and returns the deleted
  /// records as they were stored, in the order of their keys.
  ///
  /// If one deletion fails, no row is deleted.
  public func deleteAndFetch(
    where condition: (Columns<Record>) -> Condition, in db: Connection
  ) throws -> [Record] {
    try prepareToWrite(in: db)
    return try db.transaction { db in
      try keys(where: condition(table.columns), in: db)
        .compactMap { key in try part(of: key).deleteAndFetch(key: key, in: db) }
    }
  }

  /// Returns the keys of the rows that satisfy a condition, sorted in ascending order.
  private func keys(where condition: Condition, in db: Connection) throws -> [Int64] {
    try all.where { _ in condition }.fetchKeys(in: db).sorted()
  }

  /// Updates the rows that satisfy a condition, and returns the number of updated rows.
  ///
  /// The rows are found and their new values are computed before the first row is updated by its
  /// key, because the condition or the assigned values can contain subqueries that read the
  /// partitions.
  private func update(
    _ condition: Condition, _ assignments: [Assignment], in db: Connection
  ) throws -> Int {
    let key = table.definition.columns[try partitions.keyColumnIndex()].name
    let computed = assignments.compactMap(\.computed)
    let columns = ["\(identifier: key)"] + computed
    let query = all.where { _ in condition }
    let tables = query.tables + assignments.flatMap(\.tables)
    let sql = try TableDefinition.ready(
      query.select(columns.joined(separator: ", ")), reading: tables, in: db)
    let rows = try db.fetchAll(sql) { row in
      (
        key: try row[0] as Int64,
        values: try computed.indices.map { index in try row.value(at: index + 1) }
      )
    }
    for row in rows {
      var values = row.values[...]
      let bound = assignments.map { $0.computed == nil ? $0 : $0.bound(to: values.removeFirst()) }
      let part = part(of: row.key)
      try part.prepareToWrite(in: db)
      _ = try part.set(bound, ofKey: .integer(row.key), in: db)
    }
    return rows.count
  }

  /// Verifies that no assignment sets the primary key, because the key determines the partition of
  /// a row.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if an assignment sets the primary key.
  func requireNoKey(_ assignments: [Assignment]) throws {
    let columnIndex = try partitions.keyColumnIndex()
    guard assignments.contains(where: { $0.columnIndex == columnIndex }) else { return }
    let key = table.definition.columns[columnIndex].name
    throw StorageError.table(
      """
      cannot set the column \(quoted(key)) of the partitioned table \(quoted(table.name)): this \
      column is the primary key, which determines the partition that stores the row
      """, suggestion: "delete the row, and insert a row with the new key")
  }
}

extension SQLExpression {
  /// Whether the expression can contain a subquery, and can therefore read other rows than the row
  /// for which it is evaluated.
  fileprivate var readsOtherRows: Bool { !tables.isEmpty || sql.hasQuery }
}

extension Assignment {
  /// Whether the assigned expression can contain a subquery, and can therefore read other rows than
  /// the written row.
  fileprivate var readsOtherRows: Bool { !tables.isEmpty || computed?.hasQuery == true }

  /// Returns an assignment of an already computed value to the same column.
  fileprivate func bound(to value: SQLValue) -> Assignment {
    Assignment(columnIndex: columnIndex, value: .bound(value, isNil: false))
  }
}

extension SQL {
  /// Whether the text contains `select`, and the SQL can therefore contain a subquery.
  fileprivate var hasQuery: Bool { text.folded.text.contains("select") }
}
