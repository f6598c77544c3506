public import UndercroftSQLite

extension PartitionedTable: TableRows {
  public var all: TableQuery<Record> { table.all }

  /// Returns the record with this key, or `nil` if there is none.
  ///
  /// Only one partition is read.
  public func find(_ key: Int64, in db: Connection) throws -> Record? {
    try partitions.requireCount(in: db)
    return try part(of: key).find(key, in: db)
  }

  /// Returns the records of all partitions, in the order of their keys.
  public func fetchAll(in db: Connection) throws -> [Record] {
    try table.fetchAll(in: db)
  }
}
