import UndercroftCore
public import UndercroftSQLite

extension TableQuery {
  /// Returns the records.
  public func fetchAll(in db: borrowing Connection) throws -> [Record] {
    try db.query(try records(in: db)) { row in try table.codec.decode(row, 0) }
  }

  /// Returns the first record, or `nil` when there is none.
  public func first(in db: borrowing Connection) throws -> Record? {
    try db.first(try limit(1).records(in: db)) { row in try table.codec.decode(row, 0) }
  }

  /// Calls `body` with one record after the other, keeping none.
  public func forEach(in db: borrowing Connection, _ body: (Record) throws -> Void) throws {
    try db.forEach(try records(in: db)) { row in try body(table.codec.decode(row, 0)) }
  }

  /// Returns how many rows there are.
  public func count(in db: borrowing Connection) throws -> Int {
    let sql: SQL = "SELECT count(*) FROM (\(select("1")))"
    return try db.value("\(try readiness(in: db))\(sql)", as: Int.self)
  }

  /// Whether there is any row.
  public func exists(in db: borrowing Connection) throws -> Bool {
    let sql: SQL = "SELECT EXISTS (\(select("1")))"
    return try db.value("\(try readiness(in: db))\(sql)", as: Bool.self)
  }

  /// Returns one value of each row.
  public func values<Value: SQLReadable>(
    _ value: (Columns<Record>) -> Expression<Value>, in db: borrowing Connection
  ) throws -> [Value] {
    let sql = select(value(table.columns).sql)
    return try db.query("\(try readiness(in: db))\(sql)") { row in try row[0] }
  }

  private func records(in db: borrowing Connection) throws -> SQL {
    let readiness = try readiness(in: db)
    return "\(readiness)\(select(SQL(unchecked: table.definition.columnList)))"
  }
}
