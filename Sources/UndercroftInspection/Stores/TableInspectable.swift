public import UndercroftCore
public import UndercroftFoundation

/// A store of rows in tables, which can be inspected without changing it.
public protocol TableInspectable: Inspectable {
  /// Returns the tables and views, sorted by name.
  func tables() throws(StorageError) -> [InspectedTable]

  /// Returns at most `limit` rows of a table, in the order in which the store reads them.
  ///
  /// - Parameters:
  ///   - table: the name of the table.
  ///   - offset: the number of rows to skip.
  ///   - limit: the maximum number of rows to return.
  /// - Throws: ``StorageError/Code/invalidKey`` if there is no such table.
  func rows(of table: String, offset: Int, limit: Int) throws(StorageError) -> InspectedRows
}

/// The description of a table or view of a store.
public struct InspectedTable: Sendable, Equatable {
  /// The name of the table or view, as spelled in the schema.
  public let name: String
  /// The names of the columns in their order.
  public let columns: [String]
  /// The number of rows, or `nil` if they cannot be counted, such as in a damaged table.
  public let rowCount: Int?
  /// The SQL statement that creates the table or view.
  public let definition: String

  /// Creates the description of a table or view.
  public init(name: String, columns: [String], rowCount: Int?, definition: String) {
    self.name = name
    self.columns = columns
    self.rowCount = rowCount
    self.definition = definition
  }
}

/// A range of the rows of a table, with the names of the columns.
public struct InspectedRows: Sendable, Equatable {
  /// The names of the columns.
  public let columns: [String]
  /// The rows, each with a value for every column.
  public let rows: [[InspectedValue]]

  /// Creates a result from column names and rows.
  public init(columns: [String], rows: [[InspectedValue]]) {
    self.columns = columns
    self.rows = rows
  }
}

/// One value of a row, as stored.
public enum InspectedValue: Sendable, Equatable {
  /// The SQL value NULL.
  case null
  /// A 64-bit signed integer.
  case integer(Int64)
  /// A floating-point number.
  case real(Double)
  /// Text in valid UTF-8.
  case text(String)
  /// A blob, or text that is not valid UTF-8.
  case bytes(Data)
}
