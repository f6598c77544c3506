public import UndercroftSQLite

extension PartitionedTable: TableRows {
  public var all: TableQuery<Record> { table.all }

  /// Returns the record with this key, or `nil`; one table alone is read.
  public func find(_ key: Int64, in db: borrowing Connection) throws -> Record? {
    try partitions.require(in: db)
    return try part(of: key).find(key, in: db)
  }

  /// Returns all records, in the order of their keys over all tables.
  public func fetchAll(in db: borrowing Connection) throws -> [Record] {
    try table.fetchAll(in: db)
  }
}
