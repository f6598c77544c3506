public import UndercroftSQLite

// The writes of every row of the table. Each method is equivalent to the method of `Table` with the
// same name.

extension TableRecord {
  /// Sets columns of every row, and returns the number of updated rows:
  /// `Book.updateAll(in: db) { $0.rating = 0 }`.
  @discardableResult
  public static func updateAll(
    in db: Connection, _ assignments: (inout Assignments<Self>) throws -> Void
  ) throws -> Int {
    try table.updateAll(in: db, assignments)
  }

  /// Sets columns of every row, and returns the updated
  /// records as stored, in no particular order.
  public static func updateAllAndFetch(
    in db: Connection, _ assignments: (inout Assignments<Self>) throws -> Void
  ) throws -> [Self] {
    try table.updateAllAndFetch(in: db, assignments)
  }

  /// Sets columns of every row, and returns one stored value of each updated row, in no particular
  /// order.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` if a stored value is NULL.
  public static func updateAll<Value: ColumnValue>(
    returning path: KeyPath<Self, Value>, in db: Connection,
    _ assignments: (inout Assignments<Self>) throws -> Void
  ) throws -> [Value.Unwrapped] {
    try table.updateAll(returning: path, in: db, assignments)
  }

  /// Deletes every row, and returns the number of deleted rows.
  ///
  /// The counter of an `AUTOINCREMENT` key continues. ``truncate(in:)`` resets the counter.
  @discardableResult
  public static func deleteAll(in db: Connection) throws -> Int {
    try table.deleteAll(in: db)
  }

  /// Deletes every row, and returns the deleted records, in no particular order.
  public static func deleteAllAndFetch(in db: Connection) throws -> [Self] {
    try table.deleteAllAndFetch(in: db)
  }

  /// Deletes every row, and returns one stored value of each deleted row, in no particular order.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` if a stored value is NULL.
  public static func deleteAll<Value: ColumnValue>(
    returning path: KeyPath<Self, Value>, in db: Connection
  ) throws -> [Value.Unwrapped] {
    try table.deleteAll(returning: path, in: db)
  }

  /// Deletes every row, resets the counter of an `AUTOINCREMENT`
  /// key, and returns the number of deleted rows.
  ///
  /// See ``Table/truncate(in:)``.
  @discardableResult
  public static func truncate(in db: Connection) throws -> Int {
    try table.truncate(in: db)
  }
}
