import CSQLite
public import UndercroftCore

extension Row {
  /// The text of the statement, with a placeholder for each value. (`sqlite3_sql`)
  package var sql: String { sqlite3_sql(statement).map { String(cString: $0) } ?? "" }

  /// The names of the columns as the query gives them, by position. (`sqlite3_column_name`)
  public var names: [String] {
    (0..<Int32(clamping: count)).map { position in
      sqlite3_column_name(statement, position).map { String(cString: $0) } ?? ""
    }
  }

  /// Returns whatever the column at `position` holds.
  ///
  /// - Throws: ``StorageError/Code/misuse`` beyond the last column, ``StorageError/Code/decodingFailed`` for text that is not UTF-8.
  public func value(at position: Int) throws(StorageError) -> SQLValue {
    try column(position).value()
  }

  /// Returns the type of what the column at `position` holds. (`sqlite3_column_type`)
  ///
  /// - Throws: ``StorageError/Code/misuse`` beyond the last column.
  public func type(at position: Int) throws(StorageError) -> SQLType {
    try column(position).type
  }

  /// Returns every value by the name of its column, in the case that the query gives it.
  ///
  /// The names are compared by bytes, so a row may have the column "é" in one scalar and in two.
  ///
  /// - Throws: ``StorageError/Code/misuse`` when a name occurs twice, ``StorageError/Code/decodingFailed`` for text that is not UTF-8.
  public func dictionary() throws(StorageError) -> [ExactString: SQLValue] {
    var values: [ExactString: SQLValue] = [:]
    for (position, name) in names.enumerated() {
      guard values.updateValue(try value(at: position), forKey: name.exact) == nil else {
        throw .sqliteMisuse(
          "cannot make a dictionary of a row: several columns are called \(quoted(name))",
          cure: "tell them apart with AS, or read them by position")
      }
    }
    return values
  }
}
