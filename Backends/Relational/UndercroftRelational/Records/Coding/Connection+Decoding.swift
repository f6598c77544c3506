public import UndercroftSQLite

extension Row {
  /// Decodes a value from the row: each property from the column with the name of the property.
  ///
  /// To decode many rows, ``Connection/fetchAll(_:as:)`` is faster per row.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if a column is missing or ambiguous,
  ///   ``StorageError/Code/decodingFailed`` if a value does not have the type of the property.
  public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    let decoder = RowDecoder()
    defer { decoder.end() }
    return try decoder.decode(type, from: self)
  }
}

extension Connection {
  /// Returns all rows of a query, decoded as `type`: `db.fetchAll("SELECT …", as: Card.self)`.
  ///
  /// Each property is decoded from the column with the name of the property.
  ///
  /// - Throws: The same errors as ``Row/decode(_:)``.
  public func fetchAll<Value: Decodable>(_ sql: SQL, as type: Value.Type) throws -> [Value] {
    try fetchAll(sql, as: type, of: nil)
  }

  /// Returns all rows of a query, decoded as `type`: each property from the column with the name of
  /// the property.
  ///
  /// - Parameter table: The declared table whose columns the statement returns, in declaration
  ///   order, or `nil` for a statement with other columns. The errors for unreadable rows contain
  ///   the name of the table.
  func fetchAll<Value: Decodable>(
    _ sql: SQL, as type: Value.Type, of table: TableDefinition?
  ) throws -> [Value] {
    let decoder = RowDecoder(of: table)
    defer { decoder.end() }
    var values: [Value] = []
    try forEach(sql) { row in values.append(try decoder.decode(type, from: row)) }
    return values
  }

  /// Returns the first row of a query, decoded as `type`, or `nil` if there is no row.
  ///
  /// - Throws: The same errors as ``Row/decode(_:)``.
  public func fetchOne<Value: Decodable>(_ sql: SQL, as type: Value.Type) throws -> Value? {
    try fetchOne(sql, as: type, of: nil)
  }

  func fetchOne<Value: Decodable>(
    _ sql: SQL, as type: Value.Type, of table: TableDefinition?
  ) throws -> Value? {
    let decoder = RowDecoder(of: table)
    defer { decoder.end() }
    return try fetchOne(sql) { row in try decoder.decode(type, from: row) }
  }

  /// Calls `body` once for each row, with the row decoded as `type`.
  ///
  /// Only one row is in memory at a time.
  ///
  /// - Throws: The same errors as ``Row/decode(_:)``, and the errors of `body`, unchanged.
  public func forEach<Value: Decodable>(
    _ sql: SQL, as type: Value.Type, _ body: (Value) throws -> Void
  ) throws {
    try forEach(sql, as: type, of: nil, body)
  }

  func forEach<Value: Decodable>(
    _ sql: SQL, as type: Value.Type, of table: TableDefinition?, _ body: (Value) throws -> Void
  ) throws {
    let decoder = RowDecoder(of: table)
    defer { decoder.end() }
    try forEach(sql) { row in try body(decoder.decode(type, from: row)) }
  }
}
