import UndercroftCore
public import UndercroftSQLite

extension Connection {
  /// Updates columns of the rows of a table with the values that a closure computes from other
  /// columns, a thousand rows at a time.
  ///
  /// Each row is changed by an `UPDATE`, which fires triggers. Rows that a trigger inserts during
  /// the conversion may or may not be converted.
  ///
  /// ```swift
  /// try db.convertRows(of: "book", reading: ["title"], writing: ["sort_title"]) { row in
  ///   [sortTitle(try row["title"])]
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - table: the name of the table.
  ///   - read: the columns that the closure receives, in this order.
  ///   - written: the columns that the closure fills. The `INTEGER PRIMARY KEY`, the primary key of
  ///     a table `WITHOUT ROWID`, and generated columns cannot be filled.
  ///   - condition: the condition of the rows to convert, or `nil` for all rows.
  ///   - progress: receives the progress after every thousand rows, and after the last row.
  ///   - convert: returns the new values in the order of `written`, or `nil` to leave the row
  ///     unchanged.
  /// - Returns: the number of rows that were updated.
  /// - Throws: the errors of the closures, unchanged; ``StorageError/Code/misuse`` if a column does
  ///   not exist or cannot be written, or if `convert` returns the wrong number of values;
  ///   ``StorageError/Code/constraintViolated`` if a value violates a constraint. In these cases,
  ///   no row is changed.
  @discardableResult
  public func convertRows(
    of table: String, reading read: [String], writing written: [String],
    where condition: SQL? = nil, progress: MigrationProgress? = nil,
    _ convert: (borrowing Row) throws -> [(any SQLBindable)?]?
  ) throws -> Int {
    let operation = SchemaOperation("convert rows of \(quoted(table))")
    return try transaction { db in
      let rows = try RowConversion(
        operation: operation, table: try operation.table(table, in: db), reading: read,
        writing: written,
        condition: condition, in: db)
      return try rows.run(in: db, progress, convert)
    }
  }

  /// Inserts rows with the values that a closure returns for the rows of a query, with a bounded
  /// number of rows in memory.
  ///
  /// If the query reads the target table itself, it returns the rows of the target table as they
  /// were before the call.
  ///
  /// ```swift
  /// try db.copyRows(
  ///   from: "SELECT DISTINCT author FROM book", into: "author", columns: ["name"]
  /// ) { row in
  ///   [try row["author"] as String?]
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - query: the query whose rows are copied.
  ///   - table: the name of the table that receives the rows.
  ///   - columns: the columns that the closure fills.
  ///   - progress: receives the progress after every thousand rows, and after the last row.
  ///   - convert: returns the values in the order of `columns`, or `nil` to skip the row.
  /// - Returns: the number of rows that were inserted.
  /// - Throws: the errors of the closures, unchanged; ``StorageError/Code/misuse`` if a column does
  ///   not exist, or if `convert` returns the wrong number of values;
  ///   ``StorageError/Code/constraintViolated`` if a value violates a constraint. In these cases,
  ///   no row is inserted.
  @discardableResult
  public func copyRows(
    from query: SQL, into table: String, columns: [String], progress: MigrationProgress? = nil,
    _ convert: (borrowing Row) throws -> [(any SQLBindable)?]?
  ) throws -> Int {
    let operation = SchemaOperation("copy rows into \(quoted(table))")
    return try transaction { db in
      let target = try operation.table(table, in: db)
      for name in columns { _ = try operation.column(name, of: target, in: db) }
      return try RowCopying(operation: operation, query: query, target: target, columns: columns)
        .run(in: db, progress, convert)
    }
  }
}
