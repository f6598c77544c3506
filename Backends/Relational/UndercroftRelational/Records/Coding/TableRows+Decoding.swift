public import UndercroftSQLite

// These methods decode rows as types other than the records of the table,
// so that rows of several tables can be decoded as the same type.

extension TableRows {
  /// Returns the rows decoded as a type, each property from the column with its name.
  ///
  /// A property without a column in the table must be optional.
  ///
  /// - Throws: The same errors as ``Row/decode(_:)``.
  public func fetchAll<Value: Decodable>(
    as type: Value.Type, in db: Connection
  ) throws -> [Value] {
    try db.fetchAll(try all.records(in: db), as: type, of: all.table.definition)
  }

  /// Returns the first row decoded as a type, or `nil` if there is no row.
  ///
  /// - Throws: The same errors as ``Row/decode(_:)``.
  public func fetchOne<Value: Decodable>(
    as type: Value.Type, in db: Connection
  ) throws -> Value? {
    try db.fetchOne(try all.one.records(in: db), as: type, of: all.table.definition)
  }

  /// Calls `body` with each row in turn, decoded as a type.
  ///
  /// Only one row is in memory at a time.
  ///
  /// - Throws: The same errors as ``Row/decode(_:)``, and the errors of `body`, unchanged.
  public func forEach<Value: Decodable>(
    as type: Value.Type, in db: Connection, _ body: (Value) throws -> Void
  ) throws {
    try db.forEach(try all.records(in: db), as: type, of: all.table.definition, body)
  }
}
