public import UndercroftCore
public import UndercroftSQLite

/// The column values that records and tables exchange, keyed by column name.
///
/// A missing column leaves the property of a record, or the column of an existing row, unchanged.
/// NULL means that the column has no value. Names are compared by their bytes.
public struct ColumnValues: Sendable, Hashable {
  /// The values, keyed by column name.
  public private(set) var values: [ExactString: SQLValue]

  /// Creates an empty set of column values.
  public init() { values = [:] }

  /// Creates values from a dictionary of column names and values.
  public init(_ values: [ExactString: SQLValue]) { self.values = values }

  /// Creates values from a dictionary of column names and values.
  public init(_ values: [String: SQLValue]) {
    self.init()
    for (name, value) in values { self[name] = value }
  }

  /// The names of the columns, sorted by their bytes.
  public var names: [String] { values.keys.sorted().map(\.text) }

  /// The value of a column, or `nil` if the column is missing.
  public subscript(name: String) -> SQLValue? {
    get { values[name.exact] }
    set { values[name.exact] = newValue }
  }

  /// Sets the value of a column.
  ///
  /// A `nil` value sets NULL.
  ///
  /// - Throws: ``StorageError/Code/encodingFailed`` if SQLite cannot store the value exactly.
  public mutating func set(_ name: String, to value: some SQLBindable) throws(StorageError) {
    values[name.exact] = try value.sqlValue()
  }
}

extension ColumnValues: ExpressibleByDictionaryLiteral {
  /// Creates values from a literal of column names and values.
  ///
  /// If a name occurs twice, the last value is used.
  public init(dictionaryLiteral elements: (String, SQLValue)...) {
    self.init()
    for (name, value) in elements { self[name] = value }
  }
}
