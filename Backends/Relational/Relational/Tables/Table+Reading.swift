public import UndercroftSQLite

extension Table {
  /// Returns what stands before a query so that it finds the table as it is declared.
  ///
  /// A writer brings it in line. A reader, which cannot, reads a table that is not there yet as empty, and a missing column as its default.
  func readiness(in db: borrowing Connection) throws -> SQL {
    guard let standIn = try definition.standIn(in: db) else { return "" }
    return "WITH \(standIn) "
  }

  /// The same for a statement that was written once.
  func ready(_ sql: SQL, in db: borrowing Connection) throws -> SQL {
    if definition.isInLine(in: db) { return sql }
    guard let standIn = try definition.standIn(in: db) else { return sql }
    return "WITH \(standIn) \(sql)"
  }

  /// Returns all records, in the order of their primary key.
  public func fetchAll(in db: borrowing Connection) throws -> [Record] {
    try db.query(try ready(definition.reads.all, in: db)) { row in try codec.decode(row, 0) }
  }
}
