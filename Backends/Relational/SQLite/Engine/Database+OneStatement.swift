// Shorthands for transactions of a single statement.

extension Database {
  /// Runs one statement in a separate ``write(_:from:_:)``.
  ///
  /// - Returns: the number of rows that the statement inserted, changed or deleted.
  /// - Throws: the errors of ``Connection/execute(_:)`` and ``write(_:from:_:)``.
  @discardableResult
  public func execute(_ sql: SQL, from origin: Origin = .application) throws -> Int {
    try write(from: origin) { db in try db.execute(sql) }
  }

  /// Runs ``Connection/query(_:_:)`` in a separate ``read(_:)``, and returns the results of `body`
  /// for all rows.
  public func query<Element>(
    _ sql: SQL, _ body: (borrowing Row) throws -> Element
  ) throws -> [Element] {
    try read { db in try db.query(sql, body) }
  }

  /// Runs
  /// ``Connection/first(_:_:)`` in a separate ``read(_:)``, and returns the result of `body` for the first row, or `nil`
  /// if there is no row.
  public func first<Element>(
    _ sql: SQL, _ body: (borrowing Row) throws -> Element
  ) throws -> Element? {
    try read { db in try db.first(sql, body) }
  }

  /// Runs ``Connection/value(_:as:)`` in a separate ``read(_:)``, and returns one value.
  public func value<Value: SQLReadable>(
    _ sql: SQL, as type: Value.Type = Value.self
  ) throws -> Value {
    try read { db in try db.value(sql, as: type) }
  }
}

extension AsyncDatabase {
  /// Runs one statement as ``Database/execute(_:from:)`` does, without blocking the calling task.
  @discardableResult
  public func execute(_ sql: SQL, from origin: Origin = .application) async throws -> Int {
    try await write(from: origin) { db in try db.execute(sql) }
  }

  /// Runs a query as ``Database/query(_:_:)`` does, without blocking the calling task.
  public func query<Element: Sendable>(
    _ sql: SQL, _ body: @escaping @Sendable (borrowing Row) throws -> Element
  ) async throws -> [Element] {
    try await read { db in try db.query(sql, body) }
  }

  /// Returns the result for the first row as ``Database/first(_:_:)`` does, without blocking the
  /// calling task.
  public func first<Element: Sendable>(
    _ sql: SQL, _ body: @escaping @Sendable (borrowing Row) throws -> Element
  ) async throws -> Element? {
    try await read { db in try db.first(sql, body) }
  }

  /// Returns one value as ``Database/value(_:as:)`` does, without blocking the calling task.
  public func value<Value: SQLReadable & Sendable>(
    _ sql: SQL, as type: Value.Type = Value.self
  ) async throws -> Value {
    try await read { db in try db.value(sql) }
  }
}
