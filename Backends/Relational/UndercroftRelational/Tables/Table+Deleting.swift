public import UndercroftSQLite

extension Table {
  /// Deletes the row with the key of a record, and returns the number of deleted rows.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the record has no key.
  @discardableResult
  public func delete(_ record: Record, in db: Connection) throws -> Int {
    try delete(.record(record), in: db)
  }

  /// Deletes the rows with the keys of records, and returns how many of them existed.
  ///
  /// If one deletion fails, no row is deleted.
  ///
  /// - Throws: A ``BatchElementError`` that names the record that has
  ///   no key, or whose row is protected by a foreign key.
  @discardableResult
  public func deleteAll(
    _ records: some Sequence<Record>, in db: Connection
  ) throws -> Int {
    try prepareToWrite(in: db)
    return try db.transaction { db in
      var count = 0
      try BatchElementError.forEach(records) { record in
        count += try delete(.record(record), in: db)
      }
      return count
    }
  }

  /// Deletes every row, resets the counter of an `AUTOINCREMENT`
  /// key, and returns the number of deleted rows.
  ///
  /// Triggers run for each row, and foreign keys are enforced: they refuse the deletion,
  /// or delete the referring rows. Only if the table has neither does SQLite drop all
  /// rows in one step. If a trigger prevents the deletion of some rows, the counter is
  /// not reset. A rollback of the surrounding transaction restores rows and counter.
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

  func delete(_ row: RowValues<Record>, in db: Connection) throws -> Int {
    try prepareToWrite(in: db)
    try requireKey(of: row)
    return try run(statements.delete, in: db) { try bind(row, statements.keyColumnIndices, to: $0) }
  }

  /// Runs a statement, and returns the number of rows that it changed.
  func run(
    _ text: String, in db: Connection, bind: (borrowing Statement) throws -> Void
  ) throws -> Int {
    try db.prepare(SQL(unchecked: text)) { statement in
      try bind(statement)
      return try statement.runCountingChanges()
    }
  }
}
