import UndercroftCore
public import UndercroftSQLite

// A query that fails midway throws an error. Rows that `body`
// received before are then not a complete result.

extension TableRows {
  /// Returns all records, in the order of the query.
  @inlinable
  public func fetchAll(in db: Connection) throws -> [Record] {
    try db.fetchAll(try records(in: db)) { row in try decode(row) }
  }

  /// Returns the first record, or `nil` if the query finds no record.
  ///
  /// If the query has neither an order nor a full-text search, any of its records can be the first.
  public func fetchOne(in db: Connection) throws -> Record? {
    try db.fetchOne(try all.one.records(in: db)) { row in try all.table.codec.decode(row, 0) }
  }

  /// Returns the record with the greatest primary key, or `nil` if the query finds no record.
  ///
  /// The limit and the offset of the query are applied first.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the table has no primary key.
  public func fetchLastByPrimaryKey(in db: Connection) throws -> Record? {
    let query = all
    let keys = try query.table.definition.requireKey("fetch the last row")
    let orders = keys.map { SQLOrdering("\(identifier: $0.name)", isDescending: true) }
    if query.limit == nil, query.offset == 0 {
      return try query.with { $0.orders = orders }.fetchOne(in: db)
    }
    var statement = SelectStatement(
      query.allColumns, from: "(\(query.select(query.allColumns)))")
    (statement.orders, statement.limit) = (orders, 1)
    return try db.fetchOne(try query.ready(statement.sql, in: db)) { row in
      try query.table.codec.decode(row, 0)
    }
  }

  /// Calls `body` once for each record.
  ///
  /// Only one record is in memory at a time.
  public func forEach(in db: Connection, _ body: (Record) throws -> Void) throws {
    try db.forEach(try records(in: db)) { row in try body(all.table.codec.decode(row, 0)) }
  }

  /// Calls `body` with one record after another, until `body` returns ``IterationControl/stop``.
  ///
  /// Only one record is in memory at a time.
  public func forEachUntil(in db: Connection, _ body: (Record) throws -> IterationControl)
    throws
  {
    try db.forEachUntil(try records(in: db)) { row in try body(all.table.codec.decode(row, 0)) }
  }

  /// Returns the number of rows of the query.
  public func fetchCount(in db: Connection) throws -> Int {
    let query = all
    let isPlain = query.limit == nil && query.offset == 0 && !query.isDistinct
    let sql: SQL =
      isPlain
      ? query.with { $0.orders = [] }.select("count(*)")
      : "SELECT count(*) FROM (\(query.select(query.isDistinct ? query.allColumns : "1")))"
    return try db.fetchValue(try query.ready(sql, in: db), as: Int.self)
  }

  /// Returns whether the query has at least one row.
  public func exists(in db: Connection) throws -> Bool {
    let sql: SQL = "SELECT EXISTS (\(all.select("1")))"
    return try db.fetchValue(try all.ready(sql, in: db), as: Bool.self)
  }

  @usableFromInline
  func decode(_ row: borrowing Row) throws(StorageError) -> Record {
    try all.table.codec.decode(row, 0)
  }

  @usableFromInline
  func records(in db: Connection) throws -> SQL {
    try all.ready(all.select(all.allColumns), in: db)
  }
}

extension TableDefinition {
  /// Returns the columns of the primary key.
  ///
  /// - Parameter purpose: The words after "cannot" in the message of the error.
  /// - Throws: ``StorageError/Code/misuse`` if the table has no primary key.
  func requireKey(_ purpose: String) throws(StorageError) -> [ColumnDefinition] {
    let keys = keyColumns
    if keys.isEmpty {
      throw StorageError(
        .misuse, "cannot \(purpose) of \(quoted(name)): the table has no primary key",
        suggestion: "declare a primary key", backend: "sqlite")
    }
    return keys
  }
}
