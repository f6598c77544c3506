import UndercroftCore
public import UndercroftSQLite

extension PartitionedTable {
  /// Inserts a record into the partition of its key, and returns the record as stored.
  ///
  /// A record without a key gets one that no partition has.
  @discardableResult
  public func insert(_ record: Record, in db: Connection) throws -> Record {
    try prepareToWrite(in: db)
    return try insert(record, nextKey: nil, in: db).record
  }

  /// Inserts records.
  ///
  /// If one is rejected, none is inserted.
  ///
  /// - Throws: A ``BatchElementError`` that names the rejected record.
  public func insert(contentsOf records: some Sequence<Record>, in db: Connection) throws {
    try prepareToWrite(in: db)
    try db.transaction { db in
      var nextKey: Int64?
      try BatchElementError.forEach(records) { record in
        let key = try insert(record, nextKey: nextKey, in: db).key
        // The database is queried for the next key only once. A record
        // with its own key may have a greater key.
        if let next = nextKey ?? key, let key { nextKey = Swift.max(next, key &+ 1) }
      }
    }
  }

  private func insert(
    _ record: Record, nextKey: Int64?, in db: Connection
  ) throws -> (record: Record, key: Int64?) {
    if let key = try key(of: record) {
      let kept: Record = try part(of: key).insert(record, in: db)
      return (kept, nextKey == nil ? nil : key)
    }
    // No key follows the greatest possible one. The query throws if that key is in use.
    let key: Int64
    if let nextKey, nextKey > 0 { key = nextKey } else { key = try partitions.nextKey(in: db) }
    let column = table.definition.columns[try partitions.keyPlace()].name
    let keyed = try table.record(record, taking: [column: .integer(key)])
    let kept: Record = try part(of: key).insert(keyed, in: db)
    return (kept, key)
  }

  /// Updates the row with the key of a record, and returns whether the row exists.
  @discardableResult
  public func update(_ record: Record, in db: Connection) throws -> Bool {
    try prepareToWrite(in: db)
    return try part(of: try requireKey(of: record)).update(record, in: db)
  }

  /// Deletes the row with the key of a record, and returns whether the row existed.
  @discardableResult
  public func delete(_ record: Record, in db: Connection) throws -> Bool {
    try prepareToWrite(in: db)
    return try part(of: try requireKey(of: record)).delete(record, in: db)
  }

  /// Deletes every row of every partition.
  public func truncate(in db: Connection) throws {
    try prepareToWrite(in: db)
    try db.transaction { db in for part in parts { try part.truncate(in: db) } }
  }
}
