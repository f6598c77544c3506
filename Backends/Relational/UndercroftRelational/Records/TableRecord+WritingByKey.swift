public import UndercroftSQLite

// The updates and deletions of rows by key. Each method is equivalent to the method of `Table` with
// the same name.

extension TableRecord {
  // MARK: Updating one row

  /// Sets columns of the row with this key, and returns the number of
  /// updated rows: `Book.update(key: 7, in: db) { $0.rating += 1 }`.
  @discardableResult
  public static func update<Key: ColumnValue>(
    key: Key, in db: Connection, _ assignments: (inout Assignments<Self>) throws -> Void
  ) throws -> Int where Key.Unwrapped == Key {
    try table.update(key: key, in: db, assignments)
  }

  /// Sets columns of the row with this key, and returns the
  /// updated record as stored, or `nil` if there is no such row.
  public static func updateAndFetch<Key: ColumnValue>(
    key: Key, in db: Connection, _ assignments: (inout Assignments<Self>) throws -> Void
  ) throws -> Self? where Key.Unwrapped == Key {
    try table.updateAndFetch(key: key, in: db, assignments)
  }

  /// Sets columns of the row with this key, and returns one stored value of the updated row, or
  /// `nil` if there is no such row or the stored value is NULL:
  /// `Book.update(key: 7, returning: \.rating, in: db) { $0.rating += 1 }`.
  public static func update<Key: ColumnValue, Value: ColumnValue>(
    key: Key, returning path: KeyPath<Self, Value>, in db: Connection,
    _ assignments: (inout Assignments<Self>) throws -> Void
  ) throws -> Value.Unwrapped? where Key.Unwrapped == Key {
    try table.update(key: key, returning: path, in: db, assignments)
  }

  // MARK: Updating several rows

  /// Sets columns of the rows with these keys, and returns the number of rows that were found.
  ///
  /// If one update fails, no row is changed.
  @discardableResult
  public static func update<Keys: Sequence>(
    keys: Keys, in db: Connection, _ assignments: (inout Assignments<Self>) throws -> Void
  ) throws -> Int where Keys.Element: ColumnValue, Keys.Element.Unwrapped == Keys.Element {
    try table.update(keys: keys, in: db, assignments)
  }

  /// Sets columns of the rows with these keys, and returns the updated
  /// records as stored, each once, in the order of `keys`.
  ///
  /// Keys without a row are ignored. If one update fails, no row is changed.
  public static func updateAndFetch<Keys: Sequence>(
    keys: Keys, in db: Connection, _ assignments: (inout Assignments<Self>) throws -> Void
  ) throws -> [Self] where Keys.Element: ColumnValue, Keys.Element.Unwrapped == Keys.Element {
    try table.updateAndFetch(keys: keys, in: db, assignments)
  }

  /// Sets columns of the rows with these keys, and returns one stored value of each updated row, in
  /// the order of `keys`.
  ///
  /// Keys without a row are ignored. If one update fails, no row is changed.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` if a stored value is NULL.
  public static func update<Keys: Sequence, Value: ColumnValue>(
    keys: Keys, returning path: KeyPath<Self, Value>, in db: Connection,
    _ assignments: (inout Assignments<Self>) throws -> Void
  ) throws -> [Value.Unwrapped]
  where Keys.Element: ColumnValue, Keys.Element.Unwrapped == Keys.Element {
    try table.update(keys: keys, returning: path, in: db, assignments)
  }

  // MARK: Deleting

  /// Deletes the row with this key, and returns the number of deleted rows.
  @discardableResult
  public static func delete<Key: ColumnValue>(key: Key, in db: Connection) throws -> Int
  where Key.Unwrapped == Key {
    try table.delete(key: key, in: db)
  }

  /// Deletes the row with this key, and returns the deleted
  /// record as it was stored, or `nil` if there is no such row.
  public static func deleteAndFetch<Key: ColumnValue>(
    key: Key, in db: Connection
  ) throws -> Self? where Key.Unwrapped == Key {
    try table.deleteAndFetch(key: key, in: db)
  }

  /// Deletes the row with this key, and returns one stored value of the deleted row, or `nil` if
  /// there is no such row or the stored value is NULL.
  public static func delete<Key: ColumnValue, Value: ColumnValue>(
    key: Key, returning path: KeyPath<Self, Value>, in db: Connection
  ) throws -> Value.Unwrapped? where Key.Unwrapped == Key {
    try table.delete(key: key, returning: path, in: db)
  }

  /// Deletes the rows with these keys, and returns the number of deleted rows.
  ///
  /// If one deletion fails, no row is deleted.
  @discardableResult
  public static func delete<Keys: Sequence>(
    keys: Keys, in db: Connection
  ) throws -> Int where Keys.Element: ColumnValue, Keys.Element.Unwrapped == Keys.Element {
    try table.delete(keys: keys, in: db)
  }

  /// Deletes the rows with these keys, and returns the deleted
  /// records as they were stored, in the order of `keys`.
  ///
  /// Keys without a row are ignored. If one deletion fails, no row is deleted.
  public static func deleteAndFetch<Keys: Sequence>(
    keys: Keys, in db: Connection
  ) throws -> [Self] where Keys.Element: ColumnValue, Keys.Element.Unwrapped == Keys.Element {
    try table.deleteAndFetch(keys: keys, in: db)
  }

  /// Deletes the rows with these keys, and returns one stored
  /// value of each deleted row, in the order of `keys`.
  ///
  /// Keys without a row are ignored. If one deletion fails, no row is deleted.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` if a stored value is NULL.
  public static func delete<Keys: Sequence, Value: ColumnValue>(
    keys: Keys, returning path: KeyPath<Self, Value>, in db: Connection
  ) throws -> [Value.Unwrapped]
  where Keys.Element: ColumnValue, Keys.Element.Unwrapped == Keys.Element {
    try table.delete(keys: keys, returning: path, in: db)
  }
}
