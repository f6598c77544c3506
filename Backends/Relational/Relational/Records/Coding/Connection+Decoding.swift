public import UndercroftSQLite

extension Row {
  /// Makes a value of the row, each property from the column of its name.
  ///
  /// ``Connection/query(_:as:)`` does the same for all rows at a lower price each.
  ///
  /// - Throws: ``StorageError/Code/misuse`` when a column is missing or several have its name, ``StorageError/Code/decodingFailed`` for
  ///   a value of another type.
  public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    let decoder = RowDecoder()
    defer { decoder.end() }
    return try decoder.decode(type, from: self)
  }
}

extension Connection {
  /// Returns every row as a value of a type, each property from the column of its name: `db.query("SELECT …", as: Card.self)`.
  ///
  /// - Throws: as ``Row/decode(_:)``.
  public func query<Value: Decodable>(_ sql: SQL, as type: Value.Type) throws -> [Value] {
    try query(sql, as: type, of: nil)
  }

  /// - Parameter table: The declared table whose columns the statement returns, in the order of their declaration.
  func query<Value: Decodable>(
    _ sql: SQL, as type: Value.Type, of table: TableDefinition?
  ) throws -> [Value] {
    let decoder = RowDecoder(of: table)
    defer { decoder.end() }
    var values: [Value] = []
    try forEach(sql) { row in values.append(try decoder.decode(type, from: row)) }
    return values
  }

  /// Returns the first row as a value of a type, or `nil` when there is none.
  ///
  /// - Throws: as ``Row/decode(_:)``.
  public func first<Value: Decodable>(_ sql: SQL, as type: Value.Type) throws -> Value? {
    try first(sql, as: type, of: nil)
  }

  func first<Value: Decodable>(
    _ sql: SQL, as type: Value.Type, of table: TableDefinition?
  ) throws -> Value? {
    let decoder = RowDecoder(of: table)
    defer { decoder.end() }
    return try first(sql) { row in try decoder.decode(type, from: row) }
  }

  /// Calls `body` with one row after the other as a value of a type, keeping none.
  ///
  /// - Throws: as ``Row/decode(_:)``, and what `body` throws, unchanged.
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
