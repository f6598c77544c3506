public import UndercroftCore
public import UndercroftSQLite

// Commands that write rows, given as values keyed by column name, to any table. Unlike the methods
// of `Table`, these commands run no checks in Swift and do not reconcile the table with its
// declaration.

extension QueryCommand {
  /// Returns a command that inserts rows.
  ///
  /// A column that a row does not name gets its default value, or NULL if there is no default. For
  /// an `INTEGER PRIMARY KEY` that a row does not name, SQLite generates a key.
  ///
  /// Only consecutive rows that name the same columns share a
  /// statement, so the order of the rows is preserved.
  ///
  /// - Parameters:
  ///   - table: The table to insert into.
  ///   - rows: The values of each row.
  ///   - onConflict: The action to perform if a row conflicts with an existing row.
  /// - Throws: ``StorageError/Code/misuse`` if a name is not a column of the table.
  public static func insert(
    into table: TableDefinition, rows: [ColumnValues], onConflict: InsertConflict = .fail
  ) throws(StorageError) -> QueryCommand {
    let rows = try Self.rows(rows, of: table)
    var statements: [SQL] = []
    var first = 0
    while first < rows.count {
      let columnIndices = rows[first].columnIndices
      var end = first + 1
      // SQLite accepts 32,766 values, but a statement of moderate length is compiled faster.
      let limit = columnIndices.isEmpty ? 1 : max(1, 500 / columnIndices.count)
      while end < rows.count, end - first < limit, rows[end].columnIndices == columnIndices {
        end += 1
      }
      let text = DMLBuilder.insert(
        into: table, columnIndices, onConflict: onConflict, rows: end - first)
      statements.append(SQL(unchecked: text, arguments: rows[first..<end].flatMap(\.values)))
      first = end
    }
    return QueryCommand(statements)
  }

  /// Returns a command that inserts rows or updates existing rows, with one statement for each row.
  ///
  /// - Parameters:
  ///   - table: The table to write to.
  ///   - rows: The values of each row.
  ///   - unique: The columns of the unique constraint by which an existing row is found. If the
  ///     array is empty, the row is found by the primary key.
  ///   - overwritingWithNil: Whether NULL overwrites the value of an existing row.
  /// - Throws: ``StorageError/Code/misuse`` if a name is not a column
  ///   of the table, or if `unique` is not a unique constraint.
  public static func upsert(
    into table: TableDefinition, rows: [ColumnValues], on unique: [String] = [],
    overwritingWithNil: Bool = true
  ) throws(StorageError) -> QueryCommand {
    let statements = TableStatements(table)
    var columnIndices: [Int] = []
    for name in unique { columnIndices.append(try statements.columnIndex(of: name, in: table)) }
    let target = try UpsertTarget(columnIndices, of: table, statements)
    return QueryCommand(
      try Self.rows(rows, of: table).map { row in
        let changed = zip(row.columnIndices, row.values).filter { columnIndex, value in
          !statements.keyColumnIndices.contains(columnIndex)
            && (overwritingWithNil || value != .null)
        }
        let text = DMLBuilder.upsert(
          into: table, row.columnIndices, updating: changed.map(\.0), on: target.all)
        return SQL(unchecked: text, arguments: row.values)
      })
  }

  /// Returns a command that sets columns of the rows that satisfy a condition.
  ///
  /// Pass `.everything` to update all rows. If `values` is empty, the command has no statement.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if a name is not a column of the table.
  public static func update(
    _ table: TableDefinition, set values: ColumnValues, where condition: SQL
  ) throws(StorageError) -> QueryCommand {
    guard let row = try rows([values], of: table).first, !row.columnIndices.isEmpty else {
      return QueryCommand([])
    }
    var sql = SQL(unchecked: "UPDATE \(table.quotedName) SET ")
    for (offset, columnIndex) in row.columnIndices.enumerated() {
      let name = DMLBuilder.names([columnIndex], of: table)
      sql += SQL(unchecked: offset > 0 ? ", \(name) = ?" : "\(name) = ?")
    }
    sql = SQL(unchecked: sql.text, arguments: row.values)
    return QueryCommand("\(sql) WHERE \(condition)")
  }

  /// Returns a command that deletes the rows that satisfy a condition.
  ///
  /// Pass `.everything` to delete all rows.
  public static func delete(from table: TableDefinition, where condition: SQL) -> QueryCommand {
    QueryCommand("DELETE FROM \(SQL(unchecked: table.quotedName)) WHERE \(condition)")
  }

  /// Returns the values of each row with the indices of their columns, both sorted by column index.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if a name is not a column of `table`.
  private static func rows(
    _ rows: [ColumnValues], of table: TableDefinition
  ) throws(StorageError) -> [(columnIndices: [Int], values: [SQLValue])] {
    let statements = TableStatements(table)
    var found: [(columnIndices: [Int], values: [SQLValue])] = []
    for row in rows {
      let sorted = try statements.values(row, of: table).sorted { $0.key < $1.key }
      found.append((sorted.map(\.key), sorted.map(\.value)))
    }
    return found
  }
}

extension SQL {
  /// A condition that every row satisfies.
  ///
  /// This condition must be passed explicitly, so that a caller does not affect all rows by
  /// mistake.
  public static var everything: SQL { "TRUE" }
}
