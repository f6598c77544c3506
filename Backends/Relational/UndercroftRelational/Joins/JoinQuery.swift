public import UndercroftSQLite

/// A query of any number of joined tables, and the implementation of ``TwoTableJoin`` and
/// ``ThreeTableJoin``.
///
/// Creating the query does not access the database.
///
/// Every column is qualified by its table, so that several tables can have columns with the same
/// name. In raw SQL, refer to a table by its own name. If the join contains a table several times,
/// further occurrences are numbered from 2: `"employee2"."name"`.
public struct JoinQuery<each Side: JoinSide>: Sendable {
  let sides: (repeat each Side)
  let base: JoinBase

  init(_ sides: (repeat each Side), _ base: JoinBase) {
    self.sides = sides
    self.base = base
  }

  /// Returns a query of the rows that also satisfy `condition`:
  /// `where { book, author in author.name == "Herbert" }`.
  public func `where`(_ condition: (repeat (each Side).JoinedColumns) -> Condition) -> Self {
    let further = condition(repeat (each sides).columns)
    return with { $0.statement.condition = $0.statement.condition.map { $0 && further } ?? further }
  }

  /// Returns a query that also sorts by `term`, after the existing sort terms.
  public func order<Term: SQLOrderingTerm>(
    by term: (repeat (each Side).JoinedColumns) -> Term
  ) -> Self {
    let term = term(repeat (each sides).columns).ordering
    return with { $0.statement.orders.append(term) }
  }

  /// Returns a query of at most `count` rows.
  ///
  /// - Parameters:
  ///   - count: The maximum number of rows.
  ///   - offset: The number of rows to skip first, or `nil` to retain the previous offset.
  public func limit(_ count: Int, offset: Int? = nil) -> Self {
    with { ($0.statement.limit, $0.statement.offset) = (count, offset ?? $0.statement.offset) }
  }

  private func with(_ change: (inout JoinBase) -> Void) -> Self {
    var base = base
    change(&base)
    return JoinQuery((repeat each sides), base)
  }

  /// The `SELECT` statement of the query as a command, for example to print its SQL.
  public var command: QueryCommand { QueryCommand(records.sql) }

  /// The statement that selects all columns of all tables.
  private var records: SelectStatement {
    var columns: [SQL] = []
    for side in repeat each sides { columns += side.selection }
    return base.selecting(columns.joined(separator: ", "))
  }

  // MARK: Reading

  /// Returns the records of each row, one for each table: `[(Book, Author)]`.
  public func fetchAll(in db: Connection) throws -> [(repeat (each Side).Element)] {
    try db.fetchAll(try base.ready(records.sql, in: db)) { row in try element(row) }
  }

  /// Returns the records of the first row, or `nil` if there is no row.
  public func fetchOne(in db: Connection) throws -> (repeat (each Side).Element)? {
    var one = records
    one.limit = min(1, one.limit ?? 1)
    return try db.fetchOne(try base.ready(one.sql, in: db)) { row in try element(row) }
  }

  /// Calls `body` once for each row, with the records of the row.
  ///
  /// Only one row is in memory at a time.
  public func forEach(
    in db: Connection, _ body: (repeat (each Side).Element) throws -> Void
  ) throws {
    try db.forEach(try base.ready(records.sql, in: db)) { row in
      var position = 0
      try body(repeat try (each sides).read(row, &position))
    }
  }

  /// Calls `body` with the records of one row after another, until `body` returns
  /// ``IterationControl/stop``.
  ///
  /// Only one row is in memory at a time.
  public func forEachUntil(
    in db: Connection,
    _ body: (repeat (each Side).Element) throws -> IterationControl
  ) throws {
    try db.forEachUntil(try base.ready(records.sql, in: db)) { row in
      var position = 0
      return try body(repeat try (each sides).read(row, &position))
    }
  }

  /// Returns the number of rows of the query.
  public func fetchCount(in db: Connection) throws -> Int {
    let sql: SQL = "SELECT count(*) FROM (\(base.selecting("1").sql))"
    return try db.fetchValue(try base.ready(sql, in: db), as: Int.self)
  }

  private func element(_ row: borrowing Row) throws -> (repeat (each Side).Element) {
    var position = 0
    return (repeat try (each sides).read(row, &position))
  }

  // MARK: Values

  /// Returns a projection of one value of each row: `select { book, author in author.name }`.
  public func select<Value: SQLReadable & Sendable>(
    _ value: (repeat (each Side).JoinedColumns) -> SQLExpression<Value>
  ) -> Projection<Value> {
    Selected(value(repeat (each sides).columns))
      .projection(base.allTables, base.selecting)
  }

  /// Returns a projection of several values of each row:
  /// `select { book, author in (book.title, author.name) }`.
  public func select<
    FirstValue: SQLReadable & Sendable, SecondValue: SQLReadable & Sendable,
    each Value: SQLReadable & Sendable
  >(
    _ values: (repeat (each Side).JoinedColumns) -> (
      SQLExpression<FirstValue>, SQLExpression<SecondValue>, repeat SQLExpression<each Value>
    )
  ) -> Projection<(FirstValue, SecondValue, repeat each Value)> {
    selectTuple(values)
  }

  private func selectTuple<each Value: SQLReadable & Sendable>(
    _ values: (repeat (each Side).JoinedColumns) -> (repeat SQLExpression<each Value>)
  ) -> Projection<(repeat each Value)> {
    let values = values(repeat (each sides).columns)
    return Selected(repeat each values).projection(base.allTables, base.selecting)
  }

  /// Returns a projection of several values of each row, combined into one element by `make`:
  /// `select(as: Card.init) { book, author in (book.title, author.name) }`.
  public func select<each Value: SQLReadable & Sendable, Element: SendableMetatype>(
    as make: @escaping @Sendable (repeat each Value) -> Element,
    _ values: (repeat (each Side).JoinedColumns) -> (repeat SQLExpression<each Value>)
  ) -> Projection<Element> {
    let values = values(repeat (each sides).columns)
    return Selected(as: make, repeat each values).projection(base.allTables, base.selecting)
  }
}
