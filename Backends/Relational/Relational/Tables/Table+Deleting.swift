public import UndercroftSQLite

extension Table {
  /// Deletes the row with the key of a record, and returns whether there was one.
  @discardableResult
  public func delete(_ record: Record, in db: borrowing Connection) throws -> Bool {
    try begin(in: db)
    return try delete(row(of: record), in: db)
  }

  /// Deletes the rows with the keys of records, all or none; returns how many of them had a row.
  ///
  /// - Throws: an ``ElementError`` that says which has no key, or is held by a foreign key.
  @discardableResult
  public func delete(
    contentsOf records: some Sequence<Record>, in db: borrowing Connection
  ) throws -> Int {
    try begin(in: db)
    return try db.transaction { db in
      var count = 0
      try ElementError.forEach(records) { record in
        if try delete(row(of: record), in: db) { count += 1 }
      }
      return count
    }
  }

  /// Deletes every row, begins to count keys anew, and returns how many rows there were; undone with the transaction.
  ///
  /// It is a deletion like any other: triggers run for each row, foreign keys refuse it or delete what hangs on the rows, and only where a
  /// table has neither are all rows dropped at once. Should a trigger keep rows, the count of keys goes on.
  @discardableResult
  public func truncate(in db: borrowing Connection) throws -> Int {
    try begin(in: db)
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

  func delete(_ row: WrittenRow<Record>, in db: borrowing Connection) throws -> Bool {
    try requireKey(of: row)
    return try run(statements.delete, in: db) { try row.bind(statements.keyPlaces, $0) }
  }
}
