import UndercroftCore
public import UndercroftSQLite

extension Connection {
  /// Moves each row of a partitioned table to the partition whose number is the remainder of the
  /// row's key divided by `newCount`.
  ///
  /// The partitions of `book` are the tables `book_0`, `book_1` and so on. Missing
  /// tables are created like `book_0`, with its indexes. Surplus tables are dropped
  /// with their indexes, triggers and FTS5 tables. The step must create all other
  /// objects that a new table needs, such as triggers. The triggers of a table
  /// declared in Swift are created when the table is next used. After the move, the
  /// total number of rows is verified. If there are no tables yet, nothing is changed.
  ///
  /// ```swift
  /// try db.redistribute("book", key: "id", from: 4, to: 6)
  /// ```
  ///
  /// - Throws: ``StorageError/Code/misuse`` if `count` or `newCount` is not from 1 to 10,000, if
  ///   the number of tables in the file is not `count`, if a foreign key refers to one of the
  ///   tables, or if a row of a surplus table has no integer key;
  ///   ``StorageError/Code/constraintViolated`` if a row violates a constraint of its new table. In
  ///   these cases, nothing is changed.
  public func redistribute(
    _ table: String, key: String, from count: Int, to newCount: Int
  ) throws {
    let operation = SchemaOperation("redistribute \(quoted(table))")
    for (argument, number) in [("from", count), ("to", newCount)]
    where !(1...10_000).contains(number) {
      throw operation.failure(
        "the argument \(quoted(argument)), a number of tables, is \(number)",
        suggestion: "for the argument \(quoted(argument)), pass a number from 1 to 10000")
    }
    let redistribution = Redistribution(
      operation: operation, table: table, key: key, oldCount: count, newCount: newCount)
    try transaction { db in try redistribution.run(in: db) }
  }
}
