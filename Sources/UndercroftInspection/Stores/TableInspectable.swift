public import UndercroftCore

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
