public import UndercroftCore
public import UndercroftSQLite

/// Values by the names of columns: what a record shows to a table, or a table to a record.
///
/// A column that is not named is none of the record's business; one whose value is NULL is, and has no value.
public struct ColumnValues: Sendable, Hashable {
  /// Every value by the name of its column.
  public private(set) var values: [String: SQLValue]

  /// Takes values by the names of their columns.
  public init(_ values: [String: SQLValue] = [:]) { self.values = values }

  /// The names of the columns, sorted.
  public var names: [String] { values.keys.sorted() }

  /// The value of a column, or `nil` when it is not named.
  public subscript(name: String) -> SQLValue? {
    get { values[name] }
    set { values[name] = newValue }
  }

  /// Sets the value of a column, NULL for `nil`.
  ///
  /// - Throws: ``StorageError/Code/encodingFailed`` when SQLite cannot keep the value exactly.
  public mutating func set(_ name: String, to value: some SQLBindable) throws(StorageError) {
    values[name] = try value.sqlValue()
  }
}

extension ColumnValues: ExpressibleByDictionaryLiteral {
  /// Takes values by the names of their columns, the last where a name occurs twice.
  public init(dictionaryLiteral elements: (String, SQLValue)...) {
    self.init(Dictionary(elements) { _, last in last })
  }
}
