public import UndercroftSQLite

// The rows as another type than the table's records, so that those of several tables can be read as one.

extension TableQuery {
  /// Returns the rows as values of a type, each property from the column of its name; one whose column the table lacks must be optional.
  ///
  /// - Throws: as ``Row/decode(_:)``.
  public func fetchAll<Value: Decodable>(
    as type: Value.Type, in db: borrowing Connection
  ) throws -> [Value] {
    try db.query(try records(in: db), as: type)
  }

  /// Returns the first row as a value of a type, or `nil` when there is none.
  ///
  /// - Throws: as ``Row/decode(_:)``.
  public func first<Value: Decodable>(
    as type: Value.Type, in db: borrowing Connection
  ) throws -> Value? {
    try db.first(try with { $0.limit = Swift.min(1, $0.limit ?? 1) }.records(in: db), as: type)
  }

  /// Calls `body` with one row after the other as a value of a type, keeping none.
  ///
  /// - Throws: as ``Row/decode(_:)``, and what `body` throws, unchanged.
  public func forEach<Value: Decodable>(
    as type: Value.Type, in db: borrowing Connection, _ body: (Value) throws -> Void
  ) throws {
    try db.forEach(try records(in: db), as: type, body)
  }
}

extension Table {
  /// Returns all rows as values of a type, each property from the column of its name.
  ///
  /// - Throws: as ``Row/decode(_:)``.
  public func fetchAll<Value: Decodable>(
    as type: Value.Type, in db: borrowing Connection
  ) throws -> [Value] {
    try TableQuery(self).fetchAll(as: type, in: db)
  }
}
