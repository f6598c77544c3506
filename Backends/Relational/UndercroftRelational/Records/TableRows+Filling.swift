public import UndercroftSQLite

extension TableRows {
  /// Returns one virtual record for each row.
  ///
  /// `make` creates the record, and the values of the row are assigned to the record.
  ///
  /// Use this method to read rows of different tables as the same type:
  /// `try Book.where { … }.fetchAll(filling: { BookCard() }, in: db)`.
  public func fetchAll<Filled: VirtualRecord>(
    filling make: () throws -> Filled, in db: Connection
  ) throws -> [Filled] {
    let definition = all.table.definition
    var filled: [Filled] = []
    try forEachValues(in: db) { values in
      var record = try make()
      try record.assign(values, from: definition)
      filled.append(record)
    }
    return filled
  }

  /// Returns a virtual record for the first row, created as in ``fetchAll(filling:in:)``, or `nil`
  /// if there is no row.
  public func fetchOne<Filled: VirtualRecord>(
    filling make: () throws -> Filled, in db: Connection
  ) throws -> Filled? {
    try all.one.fetchAll(filling: make, in: db).first
  }

  /// Calls `body` once for each row, with the column values of the row.
  func forEachValues(
    in db: Connection, _ body: (ColumnValues) throws -> Void
  ) throws {
    let definition = all.table.definition
    try db.forEach(try all.records(in: db)) { row in
      var values = ColumnValues()
      for (position, column) in definition.columns.enumerated() {
        values[column.name] = try row.value(at: position)
      }
      try body(values)
    }
  }
}
