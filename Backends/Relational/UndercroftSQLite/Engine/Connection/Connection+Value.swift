import UndercroftCore

extension Connection {
  /// Returns the value in the first column of the first row of a query, converted as ``Row``
  /// converts it.
  ///
  /// ```swift
  /// let count = try db.fetchValue("SELECT count(*) FROM book", as: Int.self)
  /// let pages = try db.fetchValue("SELECT pages FROM book WHERE id = \(id)", as: Int?.self)
  /// ```
  ///
  /// Specify the type if the context does not determine it. In a comparison with a literal, such as
  /// `== 1.5`, Swift may infer `Decimal` as well as `Double`.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` for a value of another type. If there is no row
  ///   or the value is NULL, returns `nil` for an optional type and throws the same error for any
  ///   other type.
  public func fetchValue<Value: SQLReadable>(
    _ sql: SQL, as type: Value.Type = Value.self
  ) throws -> Value {
    if let value = try fetchOne(sql, { row in try row[0] as Value }) { return value }
    if let optional = Value.self as? any ExpressibleByNilLiteral.Type,
      let none = optional.init(nilLiteral: ()) as? Value
    {
      return none
    }
    throw StorageError(
      .decodingFailed,
      "cannot read a value: the query \(StorageError.printable(sql.text)) returned no row",
      suggestion: "if the query may return no row, read an optional type, such as Int?.self",
      backend: SQLiteBackend.name)
  }
}
