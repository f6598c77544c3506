public import UndercroftSQLite

// The writes of several records and of rows by key. Each is the method of `Table` with the same
// name.

extension TableRecord {
  // MARK: Several records

  /// Inserts records, and returns how many were inserted.
  ///
  /// If one is rejected, none is inserted.
  ///
  /// - Throws: A ``BatchElementError`` that names the rejected record.
  @discardableResult
  public static func insertAll(
    _ records: some Sequence<Self>, onConflict conflict: InsertConflict = .fail,
    in db: Connection
  ) throws -> Int {
    try table.insertAll(records, onConflict: conflict, in: db)
  }

  /// Inserts records, and returns them as stored, with their keys, in the same order.
  ///
  /// If one is rejected, none is inserted.
  ///
  /// - Throws: A ``BatchElementError`` that names the rejected record.
  public static func insertAllAndFetch(
    _ records: some Sequence<Self>, in db: Connection
  ) throws -> [Self] {
    try table.insertAllAndFetch(records, in: db)
  }

  /// Inserts each record separately, and returns an error for each rejected record.
  ///
  /// The other records are inserted.
  ///
  /// - Throws: An error that concerns the database instead of one record, such as a full disk.
  public static func insertEach(
    _ records: some Sequence<Self>, in db: Connection
  ) throws -> [BatchElementError] {
    try table.insertEach(records, in: db)
  }

  /// Updates the rows with the keys of records, and returns how many of them exist.
  ///
  /// If one update fails, no row is changed.
  ///
  /// - Parameters:
  ///   - records: The records to write.
  ///   - columns: The properties to write. If there are none, all columns are written.
  ///   - db: The connection to write to.
  /// - Throws: A ``BatchElementError`` that names the rejected record.
  @discardableResult
  public static func updateAll(
    _ records: some Sequence<Self>, only columns: PartialKeyPath<Self>...,
    in db: Connection
  ) throws -> Int {
    try table.writeAll(records, .update(only: try table.optionalColumnIndices(of: columns)), in: db)
  }

  /// Inserts records or updates their existing rows.
  ///
  /// If one is rejected, nothing is written.
  ///
  /// - Throws: A ``BatchElementError`` that names the rejected record.
  public static func upsertAll(
    _ records: some Sequence<Self>, on unique: PartialKeyPath<Self>...,
    overwritingWithNil: Bool = true, in db: Connection
  ) throws {
    let upsert = try table.upsert(on: unique, only: [], overwritingWithNil)
    _ = try table.writeAll(records, upsert, in: db)
  }

  /// Inserts records or updates their existing rows, and returns
  /// the records as stored, in the same order.
  ///
  /// If one is rejected, nothing is written.
  public static func upsertAllAndFetch(
    _ records: some Sequence<Self>, on unique: PartialKeyPath<Self>...,
    overwritingWithNil: Bool = true, in db: Connection
  ) throws -> [Self] {
    try table.fetchAll(records, table.upsert(on: unique, only: [], overwritingWithNil), in: db)
  }

  /// Deletes the rows with the keys of records, and returns how many of them existed.
  ///
  /// If one deletion fails, no row is deleted.
  ///
  /// - Throws: A ``BatchElementError`` that names the record that has
  ///   no key, or whose row is protected by a foreign key.
  @discardableResult
  public static func deleteAll(
    _ records: some Sequence<Self>, in db: Connection
  ) throws -> Int {
    try table.deleteAll(records, in: db)
  }

  /// Deletes every row, resets the counter of an `AUTOINCREMENT`
  /// key, and returns the number of deleted rows.
  ///
  /// See ``Table/truncate(in:)``.
  @discardableResult
  public static func truncate(in db: Connection) throws -> Int {
    try table.truncate(in: db)
  }

  // MARK: Keys

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

  /// Sets columns of the rows with these keys, and returns how many of them exist.
  ///
  /// If one update fails, no row is changed.
  @discardableResult
  public static func update<Keys: Sequence>(
    keys: Keys, in db: Connection, _ assignments: (inout Assignments<Self>) throws -> Void
  ) throws -> Int where Keys.Element: ColumnValue, Keys.Element.Unwrapped == Keys.Element {
    try table.update(keys: keys, in: db, assignments)
  }

  /// Deletes the row with this key, and returns the number of deleted rows.
  @discardableResult
  public static func delete<Key: ColumnValue>(key: Key, in db: Connection) throws -> Int
  where Key.Unwrapped == Key {
    try table.delete(key: key, in: db)
  }

  /// Deletes the rows with these keys, and returns how many of them existed.
  ///
  /// If one deletion fails, no row is deleted.
  @discardableResult
  public static func delete<Keys: Sequence>(
    keys: Keys, in db: Connection
  ) throws -> Int where Keys.Element: ColumnValue, Keys.Element.Unwrapped == Keys.Element {
    try table.delete(keys: keys, in: db)
  }
}
