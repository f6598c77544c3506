public import UndercroftSQLite

/// A query of three joined tables.
///
/// Creating the query does not access the database. The type has the same methods as ``JoinQuery``,
/// which joins any number of tables. Swift infers the types of a chain of joins only if the number
/// of tables is fixed.
public struct ThreeTableJoin<First: JoinSide, Second: JoinSide, Third: JoinSide>: Sendable {
  let query: JoinQuery<First, Second, Third>

  /// Returns a query of the rows that also satisfy `condition`:
  /// `where { book, author, loan in book.rating > 3 }`.
  public func `where`(
    _ condition: (First.JoinedColumns, Second.JoinedColumns, Third.JoinedColumns) -> Condition
  ) -> Self {
    Self(query: query.where(condition))
  }

  /// Returns a query that also sorts by `term`, after the existing sort terms.
  public func order<Term: SQLOrderingTerm>(
    by term: (First.JoinedColumns, Second.JoinedColumns, Third.JoinedColumns) -> Term
  ) -> Self {
    Self(query: query.order(by: term))
  }

  /// Returns a query of at most `count` rows.
  ///
  /// - Parameters:
  ///   - count: The maximum number of rows.
  ///   - offset: The number of rows to skip first, or `nil` to retain the previous offset.
  public func limit(_ count: Int, offset: Int? = nil) -> Self {
    Self(query: query.limit(count, offset: offset))
  }

  /// The `SELECT` statement of the query as a command, for example to print its SQL.
  public var command: QueryCommand { query.command }

  // MARK: Joining

  /// Returns a join with a further table: each row is combined with
  /// every record of the table for which the condition is true.
  public func join<Other: TableRows>(
    _ other: Other,
    on condition: (
      First.JoinedColumns, Second.JoinedColumns, Third.JoinedColumns, Columns<Other.Record>
    ) -> Condition
  ) -> JoinQuery<First, Second, Third, Joined<Other.Record>> {
    query.join(other, on: condition)
  }

  /// Returns a left join with a further table: each row is combined with every record of the table
  /// for which the condition is true, or with `nil` if there is no such record.
  public func leftJoin<Other: TableRows>(
    _ other: Other,
    on condition: (
      First.JoinedColumns, Second.JoinedColumns, Third.JoinedColumns, Columns<Other.Record>
    ) -> Condition
  ) -> JoinQuery<First, Second, Third, OptionallyJoined<Other.Record>> {
    query.leftJoin(other, on: condition)
  }

  /// Returns a join that combines each row with every record of a further table.
  public func crossJoin<Other: TableRows>(
    _ other: Other
  ) -> JoinQuery<First, Second, Third, Joined<Other.Record>> {
    query.crossJoin(other)
  }

  // MARK: Reading

  /// Returns the records of each row, one for each table.
  public func fetchAll(in db: Connection) throws -> [(First.Element, Second.Element, Third.Element)]
  {
    try query.fetchAll(in: db)
  }

  /// Returns the records of the first row, or `nil` if there is no row.
  public func fetchOne(in db: Connection) throws -> (First.Element, Second.Element, Third.Element)?
  {
    try query.fetchOne(in: db)
  }

  /// Calls `body` once for each row, with the records of the row.
  ///
  /// Only one row is in memory at a time.
  public func forEach(
    in db: Connection, _ body: (First.Element, Second.Element, Third.Element) throws -> Void
  ) throws {
    try query.forEach(in: db, body)
  }

  /// Calls `body` with the records of one row after another, until `body` returns
  /// ``IterationControl/stop``.
  ///
  /// Only one row is in memory at a time.
  public func forEachUntil(
    in db: Connection,
    _ body: (First.Element, Second.Element, Third.Element) throws -> IterationControl
  ) throws {
    try query.forEachUntil(in: db, body)
  }

  /// Returns the number of rows of the query.
  public func fetchCount(in db: Connection) throws -> Int { try query.fetchCount(in: db) }

  // MARK: Values

  /// Returns a projection of one value of each row.
  public func select<Value: SQLReadable & Sendable>(
    _ value: (First.JoinedColumns, Second.JoinedColumns, Third.JoinedColumns) ->
      SQLExpression<Value>
  ) -> Projection<Value> {
    query.select(value)
  }

  /// Returns a projection of several values of each row.
  public func select<
    FirstValue: SQLReadable & Sendable, SecondValue: SQLReadable & Sendable,
    each Value: SQLReadable & Sendable
  >(
    _ values: (First.JoinedColumns, Second.JoinedColumns, Third.JoinedColumns) -> (
      SQLExpression<FirstValue>, SQLExpression<SecondValue>, repeat SQLExpression<each Value>
    )
  ) -> Projection<(FirstValue, SecondValue, repeat each Value)> {
    query.select(values)
  }

  /// Returns a projection of several values of each row, combined into one element by `make`.
  public func select<each Value: SQLReadable & Sendable, Element: SendableMetatype>(
    as make: @escaping @Sendable (repeat each Value) -> Element,
    _ values: (First.JoinedColumns, Second.JoinedColumns, Third.JoinedColumns) -> (
      repeat SQLExpression<each Value>
    )
  ) -> Projection<Element> {
    query.select(as: make, values)
  }
}
