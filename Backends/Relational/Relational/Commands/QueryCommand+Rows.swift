public import UndercroftCore
public import UndercroftSQLite

// Rows by the names of columns, for any table; what a `Table` does besides, its checks and bringing the file in line, is not done here.

extension QueryCommand {
  /// Inserts rows, each value in its own column; what a row does not name gets its default, or NULL.
  ///
  /// Rows that name the same columns and follow one another are one statement, so that they are inserted in their order.
  ///
  /// - Throws: ``StorageError/Code/misuse`` for a name that is no column of the table.
  public static func insert(
    into table: TableDefinition, rows: [ColumnValues], onConflict: InsertConflict = .fail
  ) throws(StorageError) -> QueryCommand {
    let rows = try Self.rows(rows, of: table)
    var statements: [SQL] = []
    var first = 0
    while first < rows.count {
      let places = rows[first].places
      var end = first + 1
      // SQLite takes 32,766 values, and a text of moderate length is compiled sooner.
      let limit = places.isEmpty ? 1 : max(1, 500 / places.count)
      while end < rows.count, end - first < limit, rows[end].places == places { end += 1 }
      let text = WritingText.insert(
        into: table, places, onConflict: onConflict, rows: end - first)
      statements.append(SQL(unchecked: text, arguments: rows[first..<end].flatMap(\.values)))
      first = end
    }
    return QueryCommand(statements)
  }

  /// Inserts rows or, where they are there already by a unique constraint or the primary key, changes them; a statement each.
  ///
  /// - Parameter unique: the columns of the constraint, none for the primary key.
  /// - Parameter overwritingWithNil: whether NULL takes away what a row has.
  public static func upsert(
    into table: TableDefinition, rows: [ColumnValues], on unique: [String] = [],
    overwritingWithNil: Bool = true
  ) throws(StorageError) -> QueryCommand {
    let statements = TableStatements(table)
    var places: [Int] = []
    for name in unique { places.append(try statements.place(of: name, in: table)) }
    let target = try UpsertTarget(places, of: table, statements)
    return QueryCommand(
      try Self.rows(rows, of: table).map { row in
        let changed = zip(row.places, row.values).filter { place, value in
          !statements.keyPlaces.contains(place) && (overwritingWithNil || value != .null)
        }
        let text = WritingText.upsert(
          into: table, row.places, updating: changed.map(\.0), on: target.all)
        return SQL(unchecked: text, arguments: row.values)
      })
  }

  /// Sets columns of the rows that fulfil a condition; of all rows where that is `.everything`.
  public static func update(
    _ table: TableDefinition, set values: ColumnValues, where condition: SQL
  ) throws(StorageError) -> QueryCommand {
    guard let row = try rows([values], of: table).first, !row.places.isEmpty else {
      return QueryCommand([])
    }
    var sql = SQL(unchecked: "UPDATE \(table.quotedName) SET ")
    for (offset, place) in row.places.enumerated() {
      let name = WritingText.names([place], of: table)
      sql += SQL(unchecked: offset > 0 ? ", \(name) = ?" : "\(name) = ?")
    }
    sql = SQL(unchecked: sql.text, arguments: row.values)
    return QueryCommand("\(sql) WHERE \(condition)")
  }

  /// Deletes the rows that fulfil a condition; all rows where that is `.everything`.
  public static func delete(from table: TableDefinition, where condition: SQL) -> QueryCommand {
    QueryCommand("DELETE FROM \(SQL(unchecked: table.quotedName)) WHERE \(condition)")
  }

  /// The values of rows by the places of their columns.
  private static func rows(
    _ rows: [ColumnValues], of table: TableDefinition
  ) throws(StorageError) -> [(places: [Int], values: [SQLValue])] {
    let statements = TableStatements(table)
    var found: [(places: [Int], values: [SQLValue])] = []
    for row in rows {
      let sorted = try statements.values(row, of: table).sorted { $0.key < $1.key }
      found.append((sorted.map(\.key), sorted.map(\.value)))
    }
    return found
  }
}

extension SQL {
  /// The condition that every row fulfils: to be said where nothing else is, since it may not be what was meant.
  public static var everything: SQL { "TRUE" }
}
