import UndercroftCore
public import UndercroftSQLite

extension Connection {
  /// Moves columns into a table of their own, which has a row under the same key for every row: a vertical split.
  ///
  /// The new table has the key as its primary key, which refers to the old one with `ON DELETE CASCADE`, and the columns with the definitions
  /// that they had. Indexes that use only these columns move with them. The indexes and the full-text table of a declared
  /// table are dropped if they use one of the columns. Anything else that uses them is an obstacle, as for
  /// ``dropColumn(_:of:)``.
  ///
  /// ```swift
  /// try db.splitTable("book", moving: ["blurb", "cover"], to: "book_detail", key: "id")
  /// ```
  ///
  /// - Throws: ``StorageError/Code/misuse`` when there is no such column, when `key` is not the primary key, when the
  ///   new name is taken, and for an obstacle, which the error names; ``StorageError/Code/constraintViolated`` when a
  ///   row has NULL as its key. The database is unchanged then.
  public func splitTable(
    _ table: String, moving columns: [String], to newTable: String, key: String
  ) throws {
    let work = SchemaWork(
      "split the table \(quoted(table)) into it and \(quoted(newTable))")
    try transaction { db in
      try TableSplit(
        work: work, table: try work.table(table, in: db), columns: columns, newName: newTable,
        key: key
      ).run(in: db)
    }
  }

  /// Brings all columns of a table back into the one that it was split from, and drops it.
  ///
  /// Rows are matched by `key`, of which `detail` has at most one each; where it has none its columns are NULL. Indexes of `detail` move with
  /// the columns; the indexes and the full-text table of a declared table are dropped.
  ///
  /// ```swift
  /// try db.mergeTable("book_detail", into: "book", key: "id")
  /// ```
  ///
  /// - Throws: ``StorageError/Code/misuse`` when a column's name is taken, when a row of `detail` belongs to no row, and when something mentions
  ///   `detail`, which is named; nothing is changed then.
  public func mergeTable(_ detail: String, into table: String, key: String) throws {
    let work = SchemaWork("merge the table \(quoted(detail)) into \(quoted(table))")
    try transaction { db in
      try TableMerge(
        work: work, detail: try work.table(detail, in: db), table: try work.table(table, in: db),
        key: key
      ).run(in: db)
    }
  }
}
