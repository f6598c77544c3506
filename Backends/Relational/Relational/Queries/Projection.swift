public import UndercroftSQLite

/// Some values of each row of a query, or of each group of rows, read as whatever they are to be; a value, which runs nothing by itself.
public struct Projection<Element>: Sendable {
  var statement: SelectStatement
  /// The tables that it reads.
  let tables: [TableDefinition]
  let decode: @Sendable (borrowing Row) throws -> Element

  init(
    _ statement: SelectStatement, reading tables: [TableDefinition],
    _ decode: @escaping @Sendable (borrowing Row) throws -> Element
  ) {
    (self.statement, self.tables, self.decode) = (statement, tables, decode)
  }

  var sql: SQL { statement.sql }

  /// What it says in SQL.
  public var command: QueryCommand { QueryCommand(sql) }

  /// Takes elements that are the same but once.
  public func distinct() -> Self {
    var projection = self
    projection.statement.isDistinct = true
    return projection
  }

  /// Returns all elements.
  public func fetchAll(in db: borrowing Connection) throws -> [Element] {
    try db.query(try ready(sql, in: db)) { row in try decode(row) }
  }

  /// Returns the first element, or `nil` when there is none.
  public func first(in db: borrowing Connection) throws -> Element? {
    var one = statement
    one.limit = min(1, one.limit ?? 1)
    return try db.first(try ready(one.sql, in: db)) { row in try decode(row) }
  }

  /// Calls `body` with one element after the other, keeping none.
  public func forEach(in db: borrowing Connection, _ body: (Element) throws -> Void) throws {
    try db.forEach(try ready(sql, in: db)) { row in try body(decode(row)) }
  }

  /// Calls `body` with one element after the other until it returns ``RowStep/stop``, keeping none.
  public func walk(in db: borrowing Connection, _ body: (Element) throws -> RowStep) throws {
    try db.walk(try ready(sql, in: db)) { row in try body(decode(row)) }
  }

  /// Returns how many elements there are.
  public func count(in db: borrowing Connection) throws -> Int {
    try db.value(try ready("SELECT count(*) FROM (\(sql))", in: db), as: Int.self)
  }

  private func ready(_ sql: SQL, in db: borrowing Connection) throws -> SQL {
    try TableDefinition.ready(sql, reading: tables, in: db)
  }
}
