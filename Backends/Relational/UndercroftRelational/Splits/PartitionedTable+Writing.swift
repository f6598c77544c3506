import UndercroftCore
public import UndercroftSQLite

// The updates, upserts and deletions of one record. An upsert finds the existing row by its primary
// key only: `on:` is absent, because a unique constraint applies to one partition only.

extension PartitionedTable {
  // MARK: Updating

  /// Updates the row with the key of a record, and returns the number of updated rows.
  ///
  /// - Parameters:
  ///   - record: The record to write.
  ///   - columns: The properties to write. If no property is passed, all columns are written.
  ///   - db: The connection to write to.
  @discardableResult
  public func update(
    _ record: Record, only columns: PartialKeyPath<Record>..., in db: Connection
  ) throws -> Int {
    let part = try part(of: record, in: db)
    let only = try part.optionalColumnIndices(of: columns)
    return try part.write(.record(record), .update(only: only), in: db)
  }

  /// Updates the row with the key of a record, and returns the
  /// record as stored, or `nil` if there is no such row.
  ///
  /// The parameters have the same meaning as in ``update(_:only:in:)``.
  public func updateAndFetch(
    _ record: Record, only columns: PartialKeyPath<Record>..., in db: Connection
  ) throws -> Record? {
    let part = try part(of: record, in: db)
    let only = try part.optionalColumnIndices(of: columns)
    return try part.fetch(.record(record), .update(only: only), in: db)
  }

  /// Updates the row with the key of a record, and returns one stored value of the updated row, or
  /// `nil` if there is no such row or the stored value is NULL.
  ///
  /// The parameters have the same meaning as in ``update(_:only:in:)``.
  public func update<Value: ColumnValue>(
    _ record: Record, only columns: PartialKeyPath<Record>...,
    returning path: KeyPath<Record, Value>, in db: Connection
  ) throws -> Value.Unwrapped? {
    let part = try part(of: record, in: db)
    let only = try part.optionalColumnIndices(of: columns)
    return try part.returnedValue(of: path) { receive in
      try part.write(.record(record), .update(only: only), in: db, receive)
    }
  }

  // MARK: Upserting

  /// Inserts a record, or updates the row with its key.
  ///
  /// A record without a key is inserted with a generated key that exists in no partition.
  ///
  /// - Parameters:
  ///   - record: The record to write.
  ///   - columns: The properties to update in an existing row. If no property is passed, all
  ///     columns are updated.
  ///   - overwritingWithNil: Whether a `nil` property overwrites the value of an existing row.
  ///   - db: The connection to write to.
  public func upsert(
    _ record: Record, only columns: PartialKeyPath<Record>..., overwritingWithNil: Bool = true,
    in db: Connection
  ) throws {
    let (row, part) = try placed(record, in: db)
    try part.write(
      .record(row), part.upsert(on: [], only: columns, overwritingWithNil), in: db)
  }

  /// Inserts a record, or updates the row with its key, and returns the record as stored.
  ///
  /// The parameters have the same meaning as in ``upsert(_:only:overwritingWithNil:in:)``.
  public func upsertAndFetch(
    _ record: Record, only columns: PartialKeyPath<Record>..., overwritingWithNil: Bool = true,
    in db: Connection
  ) throws -> Record {
    let (row, part) = try placed(record, in: db)
    let upsert = try part.upsert(on: [], only: columns, overwritingWithNil)
    return try part.written(try part.fetch(.record(row), upsert, in: db))
  }

  /// Inserts a record, or updates the row with its key, and returns one stored value of the row.
  ///
  /// The parameters have the same meaning as in ``upsert(_:only:overwritingWithNil:in:)``.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` if the stored value is NULL.
  public func upsert<Value: ColumnValue>(
    _ record: Record, only columns: PartialKeyPath<Record>..., overwritingWithNil: Bool = true,
    returning path: KeyPath<Record, Value>, in db: Connection
  ) throws -> Value.Unwrapped {
    let (row, part) = try placed(record, in: db)
    let upsert = try part.upsert(on: [], only: columns, overwritingWithNil)
    let columnIndex = try part.columnIndex(of: path)
    return try part.written(
      try part.fetch(columnIndex, as: Value.Unwrapped.self, of: .record(row), upsert, in: db))
  }

  // MARK: Deleting

  /// Deletes the row with the key of a record, and returns the number of deleted rows.
  @discardableResult
  public func delete(_ record: Record, in db: Connection) throws -> Int {
    try part(of: record, in: db).delete(record, in: db)
  }

  /// Deletes the row with the key of a record, and returns the
  /// deleted record as it was stored, or `nil` if there is no such row.
  public func deleteAndFetch(_ record: Record, in db: Connection) throws -> Record? {
    try part(of: record, in: db).deleteAndFetch(record, in: db)
  }

  /// Deletes the row with the key of a record, and returns one stored value of the deleted row, or
  /// `nil` if there is no such row or the stored value is NULL.
  public func delete<Value: ColumnValue>(
    _ record: Record, returning path: KeyPath<Record, Value>, in db: Connection
  ) throws -> Value.Unwrapped? {
    try part(of: record, in: db).delete(record, returning: path, in: db)
  }

  /// Deletes every row of every partition, resets the counters of `AUTOINCREMENT` keys, and returns
  /// the number of deleted rows.
  ///
  /// See ``Table/truncate(in:)``.
  @discardableResult
  public func truncate(in db: Connection) throws -> Int {
    try prepareToWrite(in: db)
    return try db.transaction { db in
      var count = 0
      for part in parts { count += try part.truncate(in: db) }
      return count
    }
  }

  // MARK: Implementation

  /// Returns the partition that stores the row of a record, after reconciling all partitions with
  /// their declarations.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the connection is inside a read, or if the key of
  ///   the record is `nil`.
  private func part(of record: Record, in db: Connection) throws -> Table<Record> {
    try prepareToWrite(in: db)
    return part(of: try requireKey(of: record))
  }

  /// Returns the record, with a generated key if the record has no key, and the partition that
  /// stores its row.
  ///
  /// All partitions are first reconciled with their declarations.
  private func placed(
    _ record: Record, in db: Connection
  ) throws -> (record: Record, part: Table<Record>) {
    try prepareToWrite(in: db)
    let (row, key) = try keyed(record, nextKey: nil, in: db)
    return (row, part(of: key))
  }
}
