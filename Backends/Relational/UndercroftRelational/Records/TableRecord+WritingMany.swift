public import UndercroftSQLite

// The insertions, updates and deletions of several records. Each method is equivalent to the method
// of `Table` with the same name.

extension TableRecord {
  /// Inserts records, and returns the number of inserted records.
  ///
  /// If one record is rejected, no record is inserted.
  ///
  /// - Parameters:
  ///   - records: The records, in the order of their insertion.
  ///   - conflict: The action to perform if a record conflicts with an existing row.
  ///   - db: A connection that can write.
  /// - Throws: A ``BatchElementError`` with the index of the rejected record.
  @discardableResult
  public static func insertAll(
    _ records: some Sequence<Self>, onConflict conflict: InsertConflict = .fail,
    in db: Connection
  ) throws -> Int {
    try table.insertAll(records, onConflict: conflict, in: db)
  }

  /// Inserts records, and returns the records as stored, with their keys, in the same order.
  ///
  /// If one record is rejected, no record is inserted.
  ///
  /// - Throws: A ``BatchElementError`` with the index of the rejected record.
  public static func insertAllAndFetch(
    _ records: some Sequence<Self>, in db: Connection
  ) throws -> [Self] {
    try table.insertAllAndFetch(records, in: db)
  }

  /// Inserts records, and returns one stored value of each record, in the same order:
  /// `Book.insertAll(books, returning: \.id, in: db)` returns the generated keys.
  ///
  /// If one record is rejected, no record is inserted.
  ///
  /// - Throws: The same errors as ``Table/insertAll(_:returning:in:)``.
  public static func insertAll<Value: ColumnValue>(
    _ records: some Sequence<Self>, returning path: KeyPath<Self, Value>, in db: Connection
  ) throws -> [Value.Unwrapped] {
    try table.insertAll(records, returning: path, in: db)
  }

  /// Inserts each record separately, and returns an error for each rejected record.
  ///
  /// All other records are inserted.
  ///
  /// - Throws: An error that concerns the database instead of one record, such as a full disk.
  public static func insertEach(
    _ records: some Sequence<Self>, in db: Connection
  ) throws -> [BatchElementError] {
    try table.insertEach(records, in: db)
  }

  /// Updates the rows with the keys of the given records, and returns the number of updated rows.
  ///
  /// If one update fails, no row is changed.
  ///
  /// - Parameters:
  ///   - records: The records to write.
  ///   - columns: The properties to write. If no property is passed, all columns are written.
  ///   - db: The connection to write to.
  /// - Throws: A ``BatchElementError`` with the index of the rejected record.
  @discardableResult
  public static func updateAll(
    _ records: some Sequence<Self>, only columns: PartialKeyPath<Self>...,
    in db: Connection
  ) throws -> Int {
    try table.writeAll(records, .update(only: try table.optionalColumnIndices(of: columns)), in: db)
  }

  /// Updates the rows with the keys of the given records, and returns the records as stored, in the
  /// same order.
  ///
  /// Records without a row are omitted from the result. Apart from the result, the method is
  /// equivalent to ``updateAll(_:only:in:)``.
  public static func updateAllAndFetch(
    _ records: some Sequence<Self>, only columns: PartialKeyPath<Self>...,
    in db: Connection
  ) throws -> [Self] {
    try table.fetchAll(records, .update(only: try table.optionalColumnIndices(of: columns)), in: db)
  }

  /// Updates the rows with the keys of the given records, and returns one stored value of each
  /// updated row, in the same order.
  ///
  /// Records without a row are omitted from the result. Apart from the result, the method is
  /// equivalent to ``updateAll(_:only:in:)``.
  ///
  /// - Throws: A ``BatchElementError`` as in ``updateAll(_:only:in:)``. If a stored value is NULL,
  ///   the code of the underlying error is ``StorageError/Code/decodingFailed``.
  public static func updateAll<Value: ColumnValue>(
    _ records: some Sequence<Self>, only columns: PartialKeyPath<Self>...,
    returning path: KeyPath<Self, Value>, in db: Connection
  ) throws -> [Value.Unwrapped] {
    let update = RowOperation.update(only: try table.optionalColumnIndices(of: columns))
    return try table.returnedValues(of: path) { receive in
      try table.writeAll(records, update, in: db, receive)
    }
  }

  /// Deletes the rows with the keys of the given records, and returns the number of deleted rows.
  ///
  /// If one deletion fails, no row is deleted.
  ///
  /// - Throws: A ``BatchElementError`` with the index of the record that has no key, or whose row
  ///   is protected by a foreign key.
  @discardableResult
  public static func deleteAll(
    _ records: some Sequence<Self>, in db: Connection
  ) throws -> Int {
    try table.deleteAll(records, in: db)
  }

  /// Deletes the rows with the keys of the given records, and returns the deleted records as they
  /// were stored, in the same order.
  ///
  /// Records without a row are omitted from the result. Apart from the result, the method is
  /// equivalent to ``deleteAll(_:in:)``.
  public static func deleteAllAndFetch(
    _ records: some Sequence<Self>, in db: Connection
  ) throws -> [Self] {
    try table.deleteAllAndFetch(records, in: db)
  }

  /// Deletes the rows with the keys of the given records, and returns one stored value of each
  /// deleted row, in the same order.
  ///
  /// Records without a row are omitted from the result. Apart from the result, the method is
  /// equivalent to ``deleteAll(_:in:)``.
  ///
  /// - Throws: A ``BatchElementError`` as in ``deleteAll(_:in:)``. If a stored value is NULL, the
  ///   code of the underlying error is ``StorageError/Code/decodingFailed``.
  public static func deleteAll<Value: ColumnValue>(
    _ records: some Sequence<Self>, returning path: KeyPath<Self, Value>, in db: Connection
  ) throws -> [Value.Unwrapped] {
    try table.deleteAll(records, returning: path, in: db)
  }
}
