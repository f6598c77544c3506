import UndercroftCore

extension Connection {
  /// Returns the first column of the first row as the type asked for, exactly as a row gives it.
  ///
  /// ```swift
  /// let count = try db.value("SELECT count(*) FROM book", as: Int.self)
  /// let pages = try db.value("SELECT pages FROM book WHERE id = \(id)", as: Int?.self)
  /// ```
  ///
  /// Name the type wherever nothing else does: of a literal beside it, `== 1.5`, Swift would make a `Decimal` as readily as a `Double`.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` for a value of another type; when there is no row or it holds NULL, unless an optional
  ///   is asked for, which is `nil` then.
  public func value<Value: SQLReadable>(
    _ sql: SQL, as type: Value.Type = Value.self
  ) throws -> Value {
    if let value = try first(sql, { row in try row[0] as Value }) { return value }
    if let optional = Value.self as? any ExpressibleByNilLiteral.Type,
      let none = optional.init(nilLiteral: ()) as? Value
    {
      return none
    }
    throw StorageError(
      .decodingFailed, "cannot read a value: the query has no row",
      cure: "ask for an optional, as in Int?.self", backend: SQLiteBackend.name)
  }
}
