public import UndercroftSQLite

// These methods decode rows as types other than the records of the table,
// so that rows of several tables can be decoded as the same type.

extension TableRows {
  /// Returns all rows, decoded as `type`: each property from the column with the name of the
  /// property.
  ///
  /// A property without a column in the table must be optional.
  ///
  /// - Throws: The same errors as ``Row/decode(_:)``.
  public func fetchAll<Value: Decodable>(
    as type: Value.Type, in db: Connection
  ) throws -> [Value] {
    try db.fetchAll(try all.records(in: db), as: type, of: all.table.definition)
  }

  /// Returns the first row, decoded as `type`, or `nil` if there is no row.
  ///
  /// - Throws: The same errors as ``Row/decode(_:)``.
  public func fetchOne<Value: Decodable>(
    as type: Value.Type, in db: Connection
  ) throws -> Value? {
    try db.fetchOne(try all.one.records(in: db), as: type, of: all.table.definition)
  }

  /// Calls `body` once for each row, with the row decoded as `type`.
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
