public import UndercroftCore
public import UndercroftFoundation

/// A store of rows in tables, which can be inspected without changing it.
public protocol TableInspectable: Inspectable {
  /// Returns the tables and views, sorted by name.
  func tables() throws(StorageError) -> [InspectedTable]

  /// Returns the tables and views, sorted by name.
  ///
  /// The default implementation counts the rows in any case.
  ///
  /// - Parameter countingRows: whether the rows are counted, which can require reading all tables.
  ///   Otherwise, the number of rows of each table is `nil`.
  func tables(countingRows: Bool) throws(StorageError) -> [InspectedTable]

  /// Returns at most `limit` rows of a table, in the order in which the store reads them.
  ///
  /// - Parameters:
  ///   - table: the name of the table.
  ///   - offset: the number of rows to skip.
  ///   - limit: the maximum number of rows to return.
  /// - Throws: ``StorageError/Code/invalidKey`` if there is no such table.
  func rows(of table: String, offset: Int, limit: Int) throws(StorageError) -> InspectedRows

  /// Returns the sizes of the tables in bytes, with their indexes, by the names of the tables, or
  /// `nil` if the store does not know them.
  func tableSizes() throws(StorageError) -> [ExactString: Int]?

  /// Passes the rows of a table to `row` one by one, in the order in which the store reads them.
  ///
  /// The default implementation reads 1,000 rows at a time.
  ///
  /// - Parameters:
  ///   - table: the name of the table.
  ///   - offset: the number of rows to skip.
  ///   - columns: a closure that receives the names of the columns before the first row.
  ///   - row: a closure that receives a row, and returns whether it needs more rows.
  /// - Throws: ``StorageError/Code/invalidKey`` if there is no such table, and any error that a
  ///   closure throws.
  func forEachRow(
    of table: String, offset: Int, columns: ([String]) throws -> Void,
    row: ([InspectedValue]) throws -> Bool) throws
}

extension TableInspectable {
  public func tables(countingRows: Bool) throws(StorageError) -> [InspectedTable] { try tables() }

  public func tableSizes() throws(StorageError) -> [ExactString: Int]? { nil }

  public func forEachRow(
    of table: String, offset: Int, columns: ([String]) throws -> Void,
    row: ([InspectedValue]) throws -> Bool
  ) throws {
    let size = 1_000
    var start = offset
    while true {
      let page = try rows(of: table, offset: start, limit: size)
      if start == offset { try columns(page.columns) }
      for values in page.rows where try !row(values) { return }
      if page.rows.count < size { return }
      start += size
    }
  }
}

/// The description of a table or view of a store.
public struct InspectedTable: Sendable, Equatable {
  /// The name of the table or view, as spelled in the schema.
  public let name: String
  /// The names of the columns in their order.
  public let columns: [String]
  /// The declared types of the columns in their order, which can be empty; or no types if the store
  /// does not declare any.
  public var columnTypes: [String] = []
  /// The names of the columns whose values are computed from the other columns, so that no
  /// statement can set them.
  public var generatedColumns: [String] = []
  /// Whether the rows are computed by a query, which can take any time, instead of being stored.
  public var isView = false
  /// Whether the rows cannot be counted because the table is damaged.
  public var isDamaged = false
  /// The columns of the primary key in their order, or no columns if the table has none.
  public var keyColumns: [String] = []
  /// The foreign keys of the table.
  public var references: [InspectedReference] = []
  /// The SQL statements that create the triggers of the table or view.
  public var triggers: [String] = []
  /// The number of rows, or `nil` if they were not counted, or cannot be counted, such as in a
  /// damaged table.
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

/// A foreign key of a table.
public struct InspectedReference: Sendable, Equatable {
  /// The columns that refer to the other table.
  public let columns: [String]
  /// The table to which the columns refer.
  public let table: String
  /// The columns to which ``columns`` refer, or no columns for the primary key.
  public let targetColumns: [String]

  /// Creates a foreign key.
  public init(columns: [String], table: String, targetColumns: [String]) {
    self.columns = columns
    self.table = table
    self.targetColumns = targetColumns
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
