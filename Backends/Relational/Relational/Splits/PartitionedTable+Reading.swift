public import UndercroftSQLite

extension PartitionedTable {
  /// Returns the record with this key, or `nil`; one table alone is read.
  public func find(_ key: Int64, in db: borrowing Connection) throws -> Record? {
    try partitions.require(in: db)
    return try part(of: key).find(key, in: db)
  }

  /// Returns all records, in the order of their keys within each table.
  public func fetchAll(in db: borrowing Connection) throws -> [Record] {
    try table.fetchAll(in: db)
  }

  /// Narrows what is read over all tables: `Book.partitioned.where { $0.rating >= 4 }`.
  public func `where`(_ condition: (Columns<Record>) -> Condition) -> TableQuery<Record> {
    table.where(condition)
  }

  /// All records in an order over all tables.
  public func order(_ by: (Columns<Record>) -> some OrderingTerm) -> TableQuery<Record> {
    table.order(by)
  }

  /// Returns how many rows there are in all tables.
  public func count(in db: borrowing Connection) throws -> Int { try table.count(in: db) }
}
