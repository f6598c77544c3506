public import UndercroftCore
public import UndercroftSQLite

/// Values by the names of columns: what a record shows to a table, or a table to a record.
///
/// A missing column leaves the property, or the row, unchanged. A column whose value is NULL has no value. Names are compared by
/// bytes.
public struct ColumnValues: Sendable, Hashable {
  /// Every value by the name of its column.
  public private(set) var values: [ExactString: SQLValue]

  /// Creates values without any column.
  public init() { values = [:] }

  /// Takes values by the names of their columns.
  public init(_ values: [ExactString: SQLValue]) { self.values = values }

  /// Takes values by the names of their columns.
  public init(_ values: [String: SQLValue]) {
    self.init()
    for (name, value) in values { self[name] = value }
  }

  /// The names of the columns, sorted by bytes.
  public var names: [String] { values.keys.sorted().map(\.text) }

  /// The value of a column, or `nil` when it is not named.
  public subscript(name: String) -> SQLValue? {
    get { values[name.exact] }
    set { values[name.exact] = newValue }
  }

  /// Sets the value of a column, NULL for `nil`.
  ///
  /// - Throws: ``StorageError/Code/encodingFailed`` when SQLite cannot keep the value exactly.
  public mutating func set(_ name: String, to value: some SQLBindable) throws(StorageError) {
    values[name.exact] = try value.sqlValue()
  }
}

extension ColumnValues: ExpressibleByDictionaryLiteral {
  /// Takes values by the names of their columns, the last where a name occurs twice.
  public init(dictionaryLiteral elements: (String, SQLValue)...) {
    self.init()
    for (name, value) in elements { self[name] = value }
  }
}
