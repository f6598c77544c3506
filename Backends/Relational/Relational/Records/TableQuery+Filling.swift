public import UndercroftSQLite

extension TableQuery {
  /// Returns a record of any type for each row: what `make` makes, filled with what the table shows it.
  ///
  /// So rows of several tables come back as one type: `try Book.table.where { … }.fetchAll(filling: { BookCard() }, in: db)`.
  public func fetchAll<Filled: VirtualRecord>(
    filling make: () throws -> Filled, in db: borrowing Connection
  ) throws -> [Filled] {
    var all: [Filled] = []
    try forEachValues(in: db) { values in
      var record = try make()
      try record.take(values, from: table.definition)
      all.append(record)
    }
    return all
  }

  /// Returns the record of the first row, as ``fetchAll(filling:in:)`` makes it, or `nil` when there is none.
  public func first<Filled: VirtualRecord>(
    filling make: () throws -> Filled, in db: borrowing Connection
  ) throws -> Filled? {
    try with { $0.limit = Swift.min(1, $0.limit ?? 1) }.fetchAll(filling: make, in: db).first
  }

  /// Calls `body` with all values of one row after the other.
  func forEachValues(
    in db: borrowing Connection, _ body: (ColumnValues) throws -> Void
  ) throws {
    let definition = table.definition
    let select = select(SQL(unchecked: definition.columnList))
    try db.forEach("\(try table.readiness(in: db))\(select)") { row in
      var values = ColumnValues()
      for (position, column) in definition.columns.enumerated() {
        values[column.name] = try row.value(at: position)
      }
      try body(values)
    }
  }
}

extension Table {
  /// Returns a record of any type for each row, as ``TableQuery/fetchAll(filling:in:)`` does, in the order of their keys.
  public func fetchAll<Filled: VirtualRecord>(
    filling make: () throws -> Filled, in db: borrowing Connection
  ) throws -> [Filled] {
    try TableQuery(self).fetchAll(filling: make, in: db)
  }
}
