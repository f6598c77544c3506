public import UndercroftSQLite

// The rows as another type than the table's records, so that those of several tables can be read as one.

extension TableRows {
  /// Returns the rows as values of a type, each property from the column of its name; one whose column the table lacks must be optional.
  ///
  /// - Throws: as ``Row/decode(_:)``.
  public func fetchAll<Value: Decodable>(
    as type: Value.Type, in db: borrowing Connection
  ) throws -> [Value] {
    try db.query(try all.records(in: db), as: type, of: all.table.definition)
  }

  /// Returns the first row as a value of a type, or `nil` when there is none.
  ///
  /// - Throws: as ``Row/decode(_:)``.
  public func first<Value: Decodable>(
    as type: Value.Type, in db: borrowing Connection
  ) throws -> Value? {
    try db.first(try all.one.records(in: db), as: type, of: all.table.definition)
  }

  /// Calls `body` with one row after the other as a value of a type, keeping none.
  ///
  /// - Throws: as ``Row/decode(_:)``, and what `body` throws, unchanged.
  public func forEach<Value: Decodable>(
    as type: Value.Type, in db: borrowing Connection, _ body: (Value) throws -> Void
  ) throws {
    try db.forEach(try all.records(in: db), as: type, of: all.table.definition, body)
  }
}
