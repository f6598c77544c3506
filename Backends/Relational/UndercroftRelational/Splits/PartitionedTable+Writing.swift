import UndercroftCore
public import UndercroftSQLite

extension PartitionedTable {
  /// Inserts a record into the partition of its key.
  ///
  /// A record without a key gets one that no partition has.
  public func insert(_ record: Record, in db: Connection) throws {
    try prepareToWrite(in: db)
    let (row, key) = try keyed(record, nextKey: nil, in: db)
    try part(of: key).insert(row, in: db)
  }

  /// Inserts a record into the partition of its key, and returns the record as stored.
  ///
  /// A record without a key gets one that no partition has.
  public func insertAndFetch(_ record: Record, in db: Connection) throws -> Record {
    try prepareToWrite(in: db)
    let (row, key) = try keyed(record, nextKey: nil, in: db)
    return try part(of: key).insertAndFetch(row, in: db)
  }

  /// Inserts records.
  ///
  /// If one is rejected, none is inserted.
  ///
  /// - Throws: A ``BatchElementError`` that names the rejected record.
  public func insertAll(_ records: some Sequence<Record>, in db: Connection) throws {
    try prepareToWrite(in: db)
    try db.transaction { db in
      var nextKey: Int64?
      try BatchElementError.forEach(records) { record in
        let hasKey = try self.key(of: record) != nil
        let (row, key) = try keyed(record, nextKey: nextKey, in: db)
        try part(of: key).insert(row, in: db)
        // The database is queried for the next key only once. A record
        // with its own key may have a greater key.
        if let next = nextKey ?? (hasKey ? nil : key) { nextKey = Swift.max(next, key &+ 1) }
      }
    }
  }

  /// Returns a record with its key, and the key.
  ///
  /// - Parameter nextKey: The key for a record without one, or `nil` to query the database for it.
  private func keyed(
    _ record: Record, nextKey: Int64?, in db: Connection
  ) throws -> (record: Record, key: Int64) {
    if let key = try key(of: record) { return (record, key) }
    // No key follows the greatest possible one. The query throws if that key is in use.
    let key: Int64
    if let nextKey, nextKey > 0 { key = nextKey } else { key = try partitions.nextKey(in: db) }
    let column = table.definition.columns[try partitions.keyColumnIndex()].name
    return (try table.record(record, taking: [column: .integer(key)]), key)
  }

  /// Updates the row with the key of a record, and returns the number of updated rows.
  @discardableResult
  public func update(_ record: Record, in db: Connection) throws -> Int {
    try prepareToWrite(in: db)
    return try part(of: try requireKey(of: record)).update(record, in: db)
  }

  /// Deletes the row with the key of a record, and returns the number of deleted rows.
  @discardableResult
  public func delete(_ record: Record, in db: Connection) throws -> Int {
    try prepareToWrite(in: db)
    return try part(of: try requireKey(of: record)).delete(record, in: db)
  }

  /// Deletes every row of every partition, and returns the number of deleted rows.
  @discardableResult
  public func truncate(in db: Connection) throws -> Int {
    try prepareToWrite(in: db)
    return try db.transaction { db in
      var count = 0
      for part in parts { count += try part.truncate(in: db) }
      return count
    }
  }
}
