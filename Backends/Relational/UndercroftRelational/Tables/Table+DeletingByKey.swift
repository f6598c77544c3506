public import UndercroftSQLite

// Deletions by key, for tables whose primary key is a single column. The
// constraint `Key.Unwrapped == Key` makes the compiler reject an optional key.

extension Table {
  // MARK: One key

  /// Deletes the row with this key, and returns the number of deleted rows.
  @discardableResult
  public func delete<Key: ColumnValue>(key: Key, in db: Connection) throws -> Int
  where Key.Unwrapped == Key {
    try prepareToWrite(in: db)
    return try delete(try value(ofKey: key), in: db)
  }

  /// Deletes the row with this key, and returns the deleted
  /// record as it was stored, or `nil` if there is no such row.
  public func deleteAndFetch<Key: ColumnValue>(key: Key, in db: Connection) throws -> Record?
  where Key.Unwrapped == Key {
    try returnedRecord { receive in try delete(keys: CollectionOfOne(key), in: db, receive) }
  }

  /// Deletes the row with this key, and returns one stored value of the deleted row, or `nil` if
  /// there is no such row or the stored value is NULL.
  public func delete<Key: ColumnValue, Value: ColumnValue>(
    key: Key, returning path: KeyPath<Record, Value>, in db: Connection
  ) throws -> Value.Unwrapped? where Key.Unwrapped == Key {
    try returnedValue(of: path) { receive in try delete(keys: CollectionOfOne(key), in: db, receive)
    }
  }

  // MARK: Several keys

  /// Deletes the rows with these keys, and returns the number of deleted rows.
  ///
  /// If one deletion fails, no row is deleted.
  @discardableResult
  public func delete<Keys: Sequence>(
    keys: Keys, in db: Connection
  ) throws -> Int where Keys.Element: ColumnValue, Keys.Element.Unwrapped == Keys.Element {
    try prepareToWrite(in: db)
    return try db.transaction { db in
      var count = 0
      for key in keys { count += try delete(try value(ofKey: key), in: db) }
      return count
    }
  }

  /// Deletes the rows with these keys, and returns the deleted
  /// records as they were stored, in the order of `keys`.
  ///
  /// Keys without a row are ignored. If one deletion fails, no row is deleted.
  public func deleteAndFetch<Keys: Sequence>(
    keys: Keys, in db: Connection
  ) throws -> [Record] where Keys.Element: ColumnValue, Keys.Element.Unwrapped == Keys.Element {
    try returnedRecords { receive in try delete(keys: keys, in: db, receive) }
  }

  /// Deletes the rows with these keys, and returns one stored
  /// value of each deleted row, in the order of `keys`.
  ///
  /// Keys without a row are ignored. If one deletion fails, no row is deleted.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` if a stored value is NULL.
  public func delete<Keys: Sequence, Value: ColumnValue>(
    keys: Keys, returning path: KeyPath<Record, Value>, in db: Connection
  ) throws -> [Value.Unwrapped]
  where Keys.Element: ColumnValue, Keys.Element.Unwrapped == Keys.Element {
    try returnedValues(of: path) { receive in try delete(keys: keys, in: db, receive) }
  }

  private func delete(_ key: SQLValue, in db: Connection) throws -> Int {
    try run(statements.delete, in: db) { try $0.bind(key, at: 1) }
  }

  private func delete(
    keys: some Sequence<some ColumnValue>, in db: Connection,
    _ body: (borrowing Row) throws -> Void
  ) throws {
    try prepareToWrite(in: db)
    try db.transaction { db in
      for key in keys {
        let key = try value(ofKey: key)
        try runReturning(statements.delete, in: db, body) { statement in
          try statement.bind(key, at: 1)
        }
      }
    }
  }
}
