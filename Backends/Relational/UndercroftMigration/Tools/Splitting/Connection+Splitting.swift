import UndercroftCore
public import UndercroftSQLite

extension Connection {
  /// Moves columns into a new table that has one row for every row of the old table,
  /// with the same key: a vertical split.
  ///
  /// The new table has the key as its primary key, which refers to the old table with
  /// `ON DELETE CASCADE`, and the columns with their definitions. The indexes and the full-text
  /// table that were created for a table declared in Swift are dropped if they use one of the
  /// columns. Any other index that uses only these columns moves with them. Any other object that
  /// uses one of the columns is an obstacle, as for ``dropColumn(_:of:)``.
  ///
  /// ```swift
  /// try db.splitTable("book", moving: ["blurb", "cover"], to: "book_detail", key: "id")
  /// ```
  ///
  /// - Throws: ``StorageError/Code/misuse`` if there is no such column, if `key` is not the primary
  ///   key, if the new name is in use, or if there is an obstacle, whose name the error message
  ///   contains; ``StorageError/Code/constraintViolated`` if a row has NULL as its key. In these
  ///   cases, nothing is changed.
  public func splitTable(
    _ table: String, moving columns: [String], to newTable: String, key: String
  ) throws {
    let operation = SchemaOperation(
      "split the table \(quoted(table)) by moving columns into the table \(quoted(newTable))")
    try transaction { db in
      try TableSplit(
        operation: operation, table: try operation.table(table, in: db), columns: columns,
        newName: newTable,
        key: key
      ).run(in: db)
    }
  }

  /// Moves all columns of `detail` except the key into `table`, and drops `detail`: the reverse of
  /// ``splitTable(_:moving:to:key:)``.
  ///
  /// Rows are matched by `key`, which identifies at most one row of `detail` for each row of
  /// `table`. If a row of `table` has no matching row, its new columns are NULL. Indexes of
  /// `detail` move with the columns. The indexes and the full-text table that were created for a
  /// table declared in Swift are dropped.
  ///
  /// ```swift
  /// try db.mergeTable("book_detail", into: "book", key: "id")
  /// ```
  ///
  /// - Throws: ``StorageError/Code/misuse`` if `key` is not the primary key of `detail`, if the
  ///   name of a column is in use, if a row of `detail` matches no row of `table`, if a table
  ///   constraint of `detail` would be lost, or if another object, whose name the error message
  ///   contains, depends on `detail`; ``StorageError/Code/constraintViolated`` if a row violates a
  ///   constraint of its new columns. In these cases, nothing is changed.
  public func mergeTable(_ detail: String, into table: String, key: String) throws {
    let operation = SchemaOperation("merge the table \(quoted(detail)) into \(quoted(table))")
    try transaction { db in
      try TableMerge(
        operation: operation, detail: try operation.table(detail, in: db),
        table: try operation.table(table, in: db),
        key: key
      ).run(in: db)
    }
  }
}
