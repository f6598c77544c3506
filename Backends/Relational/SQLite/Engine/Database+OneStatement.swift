// For the many times when a transaction is one statement.

extension Database {
  /// Runs one statement in a ``write(_:from:_:)`` of its own, and returns how many rows it inserted, changed or deleted.
  ///
  /// - Throws: as ``Connection/execute(_:)`` and ``write(_:from:_:)``.
  @discardableResult
  public func execute(_ sql: SQL, from origin: Origin = .application) throws -> Int {
    try write(from: origin) { db in try db.execute(sql) }
  }

  /// Returns what `body` makes of each row, as ``Connection/query(_:_:)`` does, in a ``read(_:)`` of its own.
  public func query<Element>(
    _ sql: SQL, _ body: (borrowing Row) throws -> Element
  ) throws -> [Element] {
    try read { db in try db.query(sql, body) }
  }

  /// Returns what `body` makes of the first row, as ``Connection/first(_:_:)`` does, in a ``read(_:)`` of its own.
  public func first<Element>(
    _ sql: SQL, _ body: (borrowing Row) throws -> Element
  ) throws -> Element? {
    try read { db in try db.first(sql, body) }
  }

  /// Returns one value, as ``Connection/value(_:as:)`` does, in a ``read(_:)`` of its own.
  public func value<Value: SQLReadable>(
    _ sql: SQL, as type: Value.Type = Value.self
  ) throws -> Value {
    try read { db in try db.value(sql, as: type) }
  }
}

extension AsyncDatabase {
  /// As ``Database/execute(_:from:)``.
  @discardableResult
  public func execute(_ sql: SQL, from origin: Origin = .application) async throws -> Int {
    try await write(from: origin) { db in try db.execute(sql) }
  }

  /// As ``Database/query(_:_:)``.
  public func query<Element: Sendable>(
    _ sql: SQL, _ body: @escaping @Sendable (borrowing Row) throws -> Element
  ) async throws -> [Element] {
    try await read { db in try db.query(sql, body) }
  }

  /// As ``Database/first(_:_:)``.
  public func first<Element: Sendable>(
    _ sql: SQL, _ body: @escaping @Sendable (borrowing Row) throws -> Element
  ) async throws -> Element? {
    try await read { db in try db.first(sql, body) }
  }

  /// As ``Database/value(_:as:)``.
  public func value<Value: SQLReadable & Sendable>(
    _ sql: SQL, as type: Value.Type = Value.self
  ) async throws -> Value {
    try await read { db in try db.value(sql) }
  }
}
