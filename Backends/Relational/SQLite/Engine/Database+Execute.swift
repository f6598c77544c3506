extension Database {
  /// Runs one statement in a ``write(_:from:_:)`` of its own, and returns how many rows it inserted, changed or deleted.
  ///
  /// - Throws: as ``Connection/execute(_:)`` and ``write(_:from:_:)``.
  @discardableResult
  public func execute(_ sql: SQL, from origin: Origin = .application) throws -> Int {
    try write(from: origin) { db in try db.execute(sql) }
  }
}

extension AsyncDatabase {
  /// As ``Database/execute(_:from:)``.
  @discardableResult
  public func execute(_ sql: SQL, from origin: Origin = .application) async throws -> Int {
    try await write(from: origin) { db in try db.execute(sql) }
  }
}
