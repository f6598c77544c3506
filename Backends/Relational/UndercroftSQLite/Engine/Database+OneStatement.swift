// Shorthands for transactions of a single statement.

extension Database {
  /// Runs one statement in a separate ``write(lock:from:_:)``.
  ///
  /// - Returns: the number of rows that the statement inserted, changed or deleted.
  /// - Throws: the errors that ``Connection/execute(_:)`` and ``write(lock:from:_:)`` throw.
  @discardableResult
  public func execute(_ sql: SQL, from origin: Database.Origin = .application) throws -> Int {
    try write(from: origin) { db in try db.execute(sql) }
  }

  /// Returns the results of `body` for all rows of a query, as ``Connection/fetchAll(_:_:)`` does
  /// in a separate ``read(_:)``.
  public func fetchAll<Element>(
    _ sql: SQL, _ body: (borrowing Row) throws -> Element
  ) throws -> [Element] {
    try read { db in try db.fetchAll(sql, body) }
  }

  /// Returns the result of `body` for the first row of a query, or `nil` if there is no row, as
  /// ``Connection/fetchOne(_:_:)`` does in a separate ``read(_:)``.
  public func fetchOne<Element>(
    _ sql: SQL, _ body: (borrowing Row) throws -> Element
  ) throws -> Element? {
    try read { db in try db.fetchOne(sql, body) }
  }

  /// Returns the first value of a query, as ``Connection/fetchValue(_:as:)`` does in a separate
  /// ``read(_:)``.
  public func fetchValue<Value: SQLReadable>(
    _ sql: SQL, as type: Value.Type = Value.self
  ) throws -> Value {
    try read { db in try db.fetchValue(sql, as: type) }
  }
}

extension AsyncDatabase {
  /// Runs one statement as ``Database/execute(_:from:)`` does, without blocking the caller's
  /// executor.
  @discardableResult
  public func execute(_ sql: SQL, from origin: Database.Origin = .application) async throws -> Int {
    try await write(from: origin) { db in try db.execute(sql) }
  }

  /// Runs a query as ``Database/fetchAll(_:_:)`` does, without blocking the caller's executor.
  public func fetchAll<Element: Sendable>(
    _ sql: SQL, _ body: @escaping @Sendable (borrowing Row) throws -> Element
  ) async throws -> [Element] {
    try await read { db in try db.fetchAll(sql, body) }
  }

  /// Returns the result of `body` for the first row of a query as ``Database/fetchOne(_:_:)`` does,
  /// without blocking the caller's executor.
  public func fetchOne<Element: Sendable>(
    _ sql: SQL, _ body: @escaping @Sendable (borrowing Row) throws -> Element
  ) async throws -> Element? {
    try await read { db in try db.fetchOne(sql, body) }
  }

  /// Returns the first value of a query as ``Database/fetchValue(_:as:)`` does, without blocking
  /// the caller's executor.
  public func fetchValue<Value: SQLReadable & Sendable>(
    _ sql: SQL, as type: Value.Type = Value.self
  ) async throws -> Value {
    try await read { db in try db.fetchValue(sql) }
  }
}
