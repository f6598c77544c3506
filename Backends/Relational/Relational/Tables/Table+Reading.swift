import UndercroftCore
public import UndercroftSQLite

extension Table {
  /// Returns what stands before a query so that it finds the table as it is declared.
  ///
  /// A writer brings it in line. A reader, which cannot, reads a table that is not there yet as empty, and a missing column as its default.
  func readiness(in db: borrowing Connection) throws -> SQL {
    guard let standIn = try definition.standIn(in: db) else { return "" }
    return "WITH \(standIn) "
  }

  /// Returns the record with this primary key, or `nil`.
  public func find(_ key: some ColumnValue, in db: borrowing Connection) throws -> Record? {
    let key = Condition("\(try keyColumn()) = \(key)")
    return try TableQuery(self).where { _ in key }.first(in: db)
  }

  /// Returns all records, in the order of their keys.
  public func fetchAll(in db: borrowing Connection) throws -> [Record] {
    try TableQuery(self).fetchAll(in: db)
  }

  /// Narrows what is read, changed or deleted: `Book.table.where { $0.rating >= 4 }`.
  public func `where`(_ condition: (Columns<Record>) -> Condition) -> TableQuery<Record> {
    TableQuery(self).where(condition)
  }

  /// All records in an order: `Book.table.order { $0.title }`.
  public func order<Value>(_ by: (Columns<Record>) -> Expression<Value>) -> TableQuery<Record> {
    TableQuery(self).order(by)
  }

  /// Returns how many rows there are.
  public func count(in db: borrowing Connection) throws -> Int {
    try TableQuery(self).count(in: db)
  }

  func keyColumn() throws(StorageError) -> SQL {
    let keys = definition.keyColumns
    guard keys.count == 1, let key = keys.first else {
      throw StorageError(
        .misuse,
        "cannot find a row of \(quoted(name)) by one value: its primary key has \(keys.count) columns",
        cure: "use where { … }", backend: "sqlite")
    }
    return "\(identifier: key.name)"
  }
}
