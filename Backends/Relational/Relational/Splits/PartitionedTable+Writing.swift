import UndercroftCore
public import UndercroftSQLite

extension PartitionedTable {
  /// Inserts a record into the table of its key and returns it as it is kept; without a key it is given one that no table has.
  @discardableResult
  public func insert(_ record: Record, in db: borrowing Connection) throws -> Record {
    try partitions.require(in: db)
    return try insert(record, nextKey: nil, in: db).record
  }

  /// Inserts records: all of them or, when one is refused, none.
  ///
  /// - Throws: an ``ElementError`` that says which was refused.
  public func insert(contentsOf records: some Sequence<Record>, in db: borrowing Connection) throws
  {
    try partitions.require(in: db)
    try db.transaction { db in
      var nextKey: Int64?
      try ElementError.forEach(records) { record in
        let key = try insert(record, nextKey: nextKey, in: db).key
        // Asked for once; what is inserted with a key of its own may be greater.
        if let next = nextKey ?? key, let key { nextKey = Swift.max(next, key &+ 1) }
      }
    }
  }

  private func insert(
    _ record: Record, nextKey: Int64?, in db: borrowing Connection
  ) throws -> (record: Record, key: Int64?) {
    if let key = try key(of: record) {
      let kept: Record = try part(of: key).insert(record, in: db)
      return (kept, nextKey == nil ? nil : key)
    }
    // After the greatest key there is none to go on with.
    let key: Int64
    if let nextKey, nextKey > 0 { key = nextKey } else { key = try partitions.nextKey(in: db) }
    let column = table.definition.columns[try partitions.keyPlace()].name
    let keyed = try table.record(record, taking: [column: .integer(key)])
    let kept: Record = try part(of: key).insert(keyed, in: db)
    return (kept, key)
  }

  /// Writes a record over the row with its key, and returns whether there was one.
  @discardableResult
  public func update(_ record: Record, in db: borrowing Connection) throws -> Bool {
    try partitions.require(in: db)
    return try part(of: try requireKey(of: record)).update(record, in: db)
  }

  /// Deletes the row with the key of a record, and returns whether there was one.
  @discardableResult
  public func delete(_ record: Record, in db: borrowing Connection) throws -> Bool {
    try partitions.require(in: db)
    return try part(of: try requireKey(of: record)).delete(record, in: db)
  }

  /// Deletes every row of every table.
  public func truncate(in db: borrowing Connection) throws {
    try partitions.require(in: db)
    try db.transaction { db in for part in parts { try part.truncate(in: db) } }
  }
}
