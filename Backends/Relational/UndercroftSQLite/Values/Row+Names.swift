import CSQLite
public import UndercroftCore

extension Row {
  /// The SQL of the statement, with a placeholder for each value. (`sqlite3_sql`)
  package var sql: String { sqlite3_sql(statement).map { String(cString: $0) } ?? "" }

  /// The names of the columns by position, as the query spells them. (`sqlite3_column_name`)
  public var names: [String] {
    (0..<Int32(clamping: count)).map { position in
      sqlite3_column_name(statement, position).map { String(cString: $0) } ?? ""
    }
  }

  /// Returns the value of the column at `position`, of any type.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the row has no such column.
  ///   ``StorageError/Code/decodingFailed`` for text that is not UTF-8.
  public func value(at position: Int) throws(StorageError) -> SQLValue {
    try column(position).value()
  }

  /// Returns the type of the value in the column at `position`. (`sqlite3_column_type`)
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the row has no such column.
  public func type(at position: Int) throws(StorageError) -> SQLType {
    try column(position).type
  }

  /// Returns all values, keyed by the names of their columns as the query spells them.
  ///
  /// The names are compared by bytes, so a row may have a column "é" in its composed form and
  /// another in its decomposed form.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if a name occurs twice.
  ///   ``StorageError/Code/decodingFailed`` for text that is not UTF-8.
  public func dictionary() throws(StorageError) -> [ExactString: SQLValue] {
    var values: [ExactString: SQLValue] = [:]
    for (position, name) in names.enumerated() {
      guard values.updateValue(try value(at: position), forKey: name.exact) == nil else {
        throw .sqliteMisuse(
          """
          cannot convert a row to a dictionary: several columns are called \(quoted(name)), in the \
          statement \(StorageError.printable(sql))
          """,
          suggestion: "give the columns different names with AS, or read the columns by position")
      }
    }
    return values
  }
}
