import UndercroftCore
public import UndercroftSQLite

extension Connection {
  /// Writes columns of every row with what a closure makes of other columns, a thousand rows at a time.
  ///
  /// It is an `UPDATE` of each row, which sets off triggers. What is inserted meanwhile, by a trigger, may be seen as well or not.
  ///
  /// ```swift
  /// try db.convertRows(of: "book", reading: ["title"], writing: ["sort_title"]) { row in
  ///   [sortTitle(try row["title"])]
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - read: the columns that the closure is given, in this order.
  ///   - written: the columns that it fills, none of which is part of the primary key.
  ///   - condition: which rows; `nil` for all.
  ///   - progress: told after every thousand rows.
  ///   - convert: returns the new values in the order of `written`, or `nil` to leave the row as it is.
  /// - Returns: how many rows were written.
  /// - Throws: what the closures throw, unchanged; ``StorageError/Code/misuse`` when there is no such column. Nothing is written then.
  @discardableResult
  public func convertRows(
    of table: String, reading read: [String], writing written: [String],
    where condition: SQL? = nil, progress: MigrationProgress? = nil,
    _ convert: (borrowing Row) throws -> [(any SQLBindable)?]?
  ) throws -> Int {
    let work = SchemaWork("convert rows of \(quoted(table))")
    return try transaction { db in
      let rows = try RowConversion(
        work: work, table: try work.table(table, in: db), reading: read, writing: written,
        condition: condition, in: db)
      return try rows.run(in: db, progress, convert)
    }
  }

  /// Inserts what a closure makes of the rows of a query, keeping none of them in memory.
  ///
  /// A query of the very table that is filled sees it as it was before.
  ///
  /// ```swift
  /// try db.copyRows(from: "SELECT DISTINCT author FROM book", into: "author", columns: ["name"]) { row in
  ///   [try row["author"] as String?]
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - columns: the columns that the closure fills.
  ///   - progress: told after every thousand rows.
  ///   - convert: returns the values in the order of `columns`, or `nil` to leave the row out.
  /// - Returns: how many rows were inserted.
  /// - Throws: what the closures throw, unchanged; ``StorageError/Code/misuse`` when there is no such column. Nothing is inserted then.
  @discardableResult
  public func copyRows(
    from query: SQL, into table: String, columns: [String], progress: MigrationProgress? = nil,
    _ convert: (borrowing Row) throws -> [(any SQLBindable)?]?
  ) throws -> Int {
    let work = SchemaWork("copy rows into \(quoted(table))")
    return try transaction { db in
      let target = try work.table(table, in: db)
      for name in columns { _ = try work.column(name, of: target, in: db) }
      return try RowCopying(work: work, query: query, target: target, columns: columns)
        .run(in: db, progress, convert)
    }
  }
}
