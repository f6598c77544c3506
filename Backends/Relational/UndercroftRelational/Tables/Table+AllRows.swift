public import UndercroftSQLite

// Writes of every row of the table. To write only some rows, begin with `where { … }`.

extension Table {
  /// Sets columns of every row, and returns the number of updated rows:
  /// `updateAll(in: db) { $0.rating = 0 }`.
  @discardableResult
  public func updateAll(
    in db: Connection, _ assignments: (inout Assignments<Record>) throws -> Void
  ) throws -> Int {
    try all.update(in: db, assignments)
  }

  /// Sets columns of every row, and returns the updated
  /// records as stored, in no particular order.
  public func updateAllAndFetch(
    in db: Connection, _ assignments: (inout Assignments<Record>) throws -> Void
  ) throws -> [Record] {
    try all.updateAndFetch(in: db, assignments)
  }

  /// Sets columns of every row, and returns one stored value of each updated row, in no particular
  /// order.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` if a stored value is NULL.
  public func updateAll<Value: ColumnValue>(
    returning path: KeyPath<Record, Value>, in db: Connection,
    _ assignments: (inout Assignments<Record>) throws -> Void
  ) throws -> [Value.Unwrapped] {
    try all.update(returning: path, in: db, assignments)
  }

  /// Deletes every row, and returns the number of deleted rows.
  ///
  /// The counter of an `AUTOINCREMENT` key continues. ``truncate(in:)`` resets the counter.
  @discardableResult
  public func deleteAll(in db: Connection) throws -> Int {
    try all.delete(in: db)
  }

  /// Deletes every row, and returns the deleted records, in no particular order.
  public func deleteAllAndFetch(in db: Connection) throws -> [Record] {
    try all.deleteAndFetch(in: db)
  }

  /// Deletes every row, and returns one stored value of each deleted row, in no particular order.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` if a stored value is NULL.
  public func deleteAll<Value: ColumnValue>(
    returning path: KeyPath<Record, Value>, in db: Connection
  ) throws -> [Value.Unwrapped] {
    try all.delete(returning: path, in: db)
  }

  /// Deletes every row, resets the counter of an `AUTOINCREMENT`
  /// key, and returns the number of deleted rows.
  ///
  /// Triggers run for each row, and foreign keys are enforced: a foreign key rejects the deletion,
  /// or performs its action on the referring rows. SQLite deletes all rows in one step only if
  /// there are neither triggers nor foreign keys that refer to the table. If a trigger prevents the
  /// deletion of some rows, the counter is not reset. A rollback of the surrounding transaction
  /// restores the rows and the counter.
  @discardableResult
  public func truncate(in db: Connection) throws -> Int {
    try prepareToWrite(in: db)
    return try db.transaction { db in
      let count = try db.execute("DELETE FROM \(identifier: name)")
      if definition.columns.contains(where: \.isAutoincrementing) {
        let rows = SQL(unchecked: "SELECT 1 FROM \(definition.quotedName)")
        try db.execute(
          "DELETE FROM sqlite_sequence WHERE name = \(name) COLLATE NOCASE AND NOT EXISTS (\(rows))"
        )
      }
      return count
    }
  }
}
