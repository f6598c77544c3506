import UndercroftCore
public import UndercroftSQLite

extension Table {
  /// Returns the records that a query in SQL finds.
  ///
  /// The columns of the table are found by name in the result of the query, in any order. The case
  /// of ASCII letters in names is ignored. Other columns of the query are ignored.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if a column of the table is missing
  ///   or occurs twice, as after a join of two tables that both have the column.
  public func fetchAll(sql: SQL, in db: Connection) throws -> [Record] {
    var positions: [Int]?
    return try db.fetchAll(try prepared(sql, in: db)) { row in
      let found = try positions ?? self.positions(in: row.names)
      positions = found
      return try codec.decode(row, at: found)
    }
  }

  /// Returns the first record that a query in SQL finds, or `nil` if the query finds no record.
  ///
  /// The columns are found as in ``fetchAll(sql:in:)``.
  public func fetchOne(sql: SQL, in db: Connection) throws -> Record? {
    try db.fetchOne(try prepared(sql, in: db)) { row in
      try codec.decode(row, at: positions(in: row.names))
    }
  }

  /// Returns a query with the common table expressions that the table needs.
  ///
  /// On a writing connection, the table in the file is first reconciled with its declaration:
  /// created, or extended by missing columns and indexes. The query can have its own `WITH` clause.
  /// If the table is derived (its rows are computed from other tables), the query refers to the
  /// table by its declared name.
  private func prepared(_ sql: SQL, in db: Connection) throws -> SQL {
    if db.isWriter { try definition.ensureSchema(in: db) }
    guard var needed = try definition.readSubstitute(in: db) else { return sql }
    if definition.isDerived {
      let table = SQL(unchecked: definition.quotedName)
      needed += ", \(identifier: name) AS (SELECT * FROM \(table))"
    }
    return sql.beginning(with: needed)
  }

  /// Returns the positions of the table's columns among these names, in declaration order.
  private func positions(in names: [String]) throws(StorageError) -> [Int] {
    let names = names.map(SQLName.folded)
    var positions: [Int] = []
    for column in definition.columns {
      let found = names.indices.filter { names[$0] == SQLName.folded(column.name) }
      guard let position = found.first, found.count == 1 else {
        throw StorageError(
          .misuse,
          """
          cannot read records of \(quoted(name)): the query returns \
          \(found.isEmpty ? "no column" : "\(found.count) columns") named \(quoted(column.name))
          """,
          suggestion: found.isEmpty
            ? "add the column to the SELECT list"
            : "select the column once, or rename all other columns of this name with AS",
          backend: "sqlite")
      }
      positions.append(position)
    }
    return positions
  }
}
