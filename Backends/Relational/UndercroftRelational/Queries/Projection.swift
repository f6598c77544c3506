public import UndercroftSQLite

/// A query that selects some values of each row, or of each group of rows, and decodes them as one
/// element.
///
/// Creating the query does not access the database.
public struct Projection<Element>: Sendable {
  var statement: SelectStatement
  /// The tables that the query reads.
  let tables: [TableDefinition]
  let decode: @Sendable (borrowing Row) throws -> Element

  init(
    _ statement: SelectStatement, reading tables: [TableDefinition],
    _ decode: @escaping @Sendable (borrowing Row) throws -> Element
  ) {
    (self.statement, self.tables, self.decode) = (statement, tables, decode)
  }

  var sql: SQL { statement.sql }

  /// The `SELECT` statement of the query as a command, for example to print its SQL.
  public var command: QueryCommand { QueryCommand(sql) }

  /// Returns a projection without duplicate elements.
  public func distinct() -> Self {
    var projection = self
    projection.statement.isDistinct = true
    return projection
  }

  /// Returns all elements of the projection, in the order of the query.
  public func fetchAll(in db: Connection) throws -> [Element] {
    try db.fetchAll(try ready(sql, in: db)) { row in try decode(row) }
  }

  /// Returns the first element of the projection, or `nil` if the query returns no row.
  public func fetchOne(in db: Connection) throws -> Element? {
    var one = statement
    one.limit = min(1, one.limit ?? 1)
    return try db.fetchOne(try ready(one.sql, in: db)) { row in try decode(row) }
  }

  /// Calls `body` once for each element of the projection.
  ///
  /// Only one element is in memory at a time.
  public func forEach(in db: Connection, _ body: (Element) throws -> Void) throws {
    try db.forEach(try ready(sql, in: db)) { row in try body(decode(row)) }
  }

  /// Calls `body` with one element after another, until `body` returns ``IterationControl/stop``.
  ///
  /// Only one element is in memory at a time.
  public func forEachUntil(
    in db: Connection, _ body: (Element) throws -> IterationControl
  ) throws {
    try db.forEachUntil(try ready(sql, in: db)) { row in try body(decode(row)) }
  }

  /// Returns the number of elements of the projection.
  public func fetchCount(in db: Connection) throws -> Int {
    try db.fetchValue(try ready("SELECT count(*) FROM (\(sql))", in: db), as: Int.self)
  }

  private func ready(_ sql: SQL, in db: Connection) throws -> SQL {
    try TableDefinition.ready(sql, reading: tables, in: db)
  }
}

extension SQLExpression {
  /// Creates an expression whose value is the first value that a query returns, or NULL if there
  /// are no rows.
  ///
  /// The query can refer to columns of the outer statement:
  ///
  /// ```swift
  /// update(in: db) { book in
  ///   let reviews = Review.where { $0.bookID == book.id }
  ///   book.rating = SQLExpression(reviews.select { $0.stars.sum })
  /// }
  /// ```
  public init(_ query: Projection<Value>) {
    self.init("(\(query.sql))", .atom, reading: query.tables)
  }
}
