import UndercroftCore
public import UndercroftSQLite

extension PartitionedTable {
  /// Inserts a record into the partition of its key.
  ///
  /// A record without a key gets a generated key that exists in no partition.
  public func insert(_ record: Record, in db: Connection) throws {
    try prepareToWrite(in: db)
    let (row, key) = try keyed(record, nextKey: nil, in: db)
    try part(of: key).insert(row, in: db)
  }

  /// Inserts a record into the partition of its key, and returns the record as stored.
  ///
  /// A record without a key gets a generated key that exists in no partition.
  public func insertAndFetch(_ record: Record, in db: Connection) throws -> Record {
    try prepareToWrite(in: db)
    let (row, key) = try keyed(record, nextKey: nil, in: db)
    return try part(of: key).insertAndFetch(row, in: db)
  }

  /// Inserts a record into the partition of its key, and returns one stored value of the row.
  ///
  /// A record without a key gets a generated key that exists in no partition.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` if the stored value is NULL.
  public func insert<Value: ColumnValue>(
    _ record: Record, returning path: KeyPath<Record, Value>, in db: Connection
  ) throws -> Value.Unwrapped {
    try prepareToWrite(in: db)
    let (row, key) = try keyed(record, nextKey: nil, in: db)
    return try part(of: key).insert(row, returning: path, in: db)
  }

  /// Inserts each record into the partition of its key.
  ///
  /// If one record is rejected, no record is inserted.
  ///
  /// - Throws: A ``BatchElementError`` with the index of the rejected record.
  public func insertAll(_ records: some Sequence<Record>, in db: Connection) throws {
    try insertAll(records, in: db) { row, part in try part.insert(row, in: db) }
  }

  /// Inserts each record into the partition of its key, and returns the records as stored, with
  /// their keys, in the same order.
  ///
  /// Apart from the result, the method is equivalent to ``insertAll(_:in:)``.
  public func insertAllAndFetch(
    _ records: some Sequence<Record>, in db: Connection
  ) throws -> [Record] {
    var stored: [Record] = []
    try insertAll(records, in: db) { row, part in
      stored.append(try part.insertAndFetch(row, in: db))
    }
    return stored
  }

  /// Inserts each record into the partition of its key, and returns one stored value of each
  /// record, in the same order.
  ///
  /// Apart from the result, the method is equivalent to ``insertAll(_:in:)``.
  public func insertAll<Value: ColumnValue>(
    _ records: some Sequence<Record>, returning path: KeyPath<Record, Value>, in db: Connection
  ) throws -> [Value.Unwrapped] {
    var values: [Value.Unwrapped] = []
    try insertAll(records, in: db) { row, part in
      values.append(try part.insert(row, returning: path, in: db))
    }
    return values
  }

  private func insertAll(
    _ records: some Sequence<Record>, in db: Connection,
    _ insert: (_ record: Record, _ partition: Table<Record>) throws -> Void
  ) throws {
    try prepareToWrite(in: db)
    try db.transaction { db in
      var nextKey: Int64?
      try BatchElementError.forEach(records) { record in
        let hasKey = try self.key(of: record) != nil
        let (row, key) = try keyed(record, nextKey: nextKey, in: db)
        try insert(row, part(of: key))
        // The database is queried for the next key only once. A record with its own key can have a
        // greater key.
        if let next = nextKey ?? (hasKey ? nil : key) { nextKey = Swift.max(next, key &+ 1) }
      }
    }
  }

  /// Returns the record and its key, after generating a missing key.
  ///
  /// - Parameters:
  ///   - record: The record, with or without a key.
  ///   - nextKey: The key for a record without a key, or `nil` to read the next key from the
  ///     database.
  ///   - db: The connection to read from.
  func keyed(
    _ record: Record, nextKey: Int64?, in db: Connection
  ) throws -> (record: Record, key: Int64) {
    if let key = try key(of: record) { return (record, key) }
    // No key follows the greatest possible key. The query throws if that key is in use.
    let key: Int64
    if let nextKey, nextKey > 0 { key = nextKey } else { key = try partitions.nextKey(in: db) }
    let column = table.definition.columns[try partitions.keyColumnIndex()].name
    return (try table.record(record, taking: [column: .integer(key)]), key)
  }
}
