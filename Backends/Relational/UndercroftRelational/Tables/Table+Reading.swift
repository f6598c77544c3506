public import UndercroftSQLite

extension Table {
  /// Returns a query of this table alone, preceded by the common table expressions that it needs.
  ///
  /// A writing connection creates the table and adds missing columns. A read-only connection
  /// cannot, so it reads a missing table as empty, and a missing column as its default value.
  func ready(_ sql: SQL, in db: Connection) throws -> SQL {
    if definition.isVerified(in: db) { return sql }
    if db.isWriter { try definition.ensureSchema(in: db) }
    guard let substitute = try definition.readSubstitute(in: db) else { return sql }
    return "WITH \(substitute) \(sql)"
  }

  /// Returns all records, in the order of their primary key.
  public func fetchAll(in db: Connection) throws -> [Record] {
    try db.query(try ready(definition.reads.all, in: db)) { row in try codec.decode(row, 0) }
  }
}
