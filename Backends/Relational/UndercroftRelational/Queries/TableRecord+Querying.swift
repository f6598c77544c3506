public import UndercroftSQLite

// The queries of a record type's own table, called on the type: `Book.where { … }`. Each method is
// documented at ``TableRows`` or at ``Table``. The methods are inlinable, because a call that is
// not specialised would copy the whole table.

extension TableRecord {
  /// A query of all rows of the table: `Book.join(Author.all) { … }`.
  @inlinable
  public static var all: TableQuery<Self> { table.all }

  /// Returns a query of the rows that satisfy `condition`.
  @inlinable
  public static func `where`(_ condition: (Columns<Self>) -> Condition) -> TableQuery<Self> {
    table.where(condition)
  }

  /// Returns a query of the rows that satisfy a condition in SQL.
  @inlinable
  public static func `where`(_ condition: SQL) -> TableQuery<Self> { table.where(condition) }

  /// Returns a query that sorts by an expression: `Book.order { $0.title }`.
  @inlinable
  public static func order(
    by term: (Columns<Self>) -> some SQLOrderingTerm
  ) -> TableQuery<Self> {
    table.order(by: term)
  }

  /// Returns a query of at most `count` rows, without the first `offset` rows if `offset` is not
  /// `nil`.
  @inlinable
  public static func limit(_ count: Int, offset: Int? = nil) -> TableQuery<Self> {
    table.limit(count, offset: offset)
  }

  /// Returns a query that skips the first `count` rows.
  @inlinable
  public static func offset(_ count: Int) -> TableQuery<Self> { table.offset(count) }

  /// Returns a query that omits duplicate rows: rows that are equal in all selected values.
  @inlinable
  public static func distinct() -> TableQuery<Self> { table.distinct() }

  /// Returns a query of the records that match a full-text query, best matches first.
  ///
  /// The parameters have the same meaning as in ``Table/search(_:weights:)``.
  @inlinable
  public static func search(
    _ query: FullTextQuery, weights: [Double] = []
  ) -> TableQuery<Self> {
    table.search(query, weights: weights)
  }

  /// Returns a query of the records that match a query in the syntax of FTS5.
  ///
  /// The parameters have the same meaning as in ``Table/search(matching:weights:)``.
  @inlinable
  public static func search(
    matching query: String, weights: [Double] = []
  ) -> TableQuery<Self> {
    table.search(matching: query, weights: weights)
  }

  // MARK: Projections and groups

  /// Returns a projection of one value of each row: `Book.select { $0.title }`.
  @inlinable
  public static func select<Value: SQLReadable & Sendable>(
    _ value: (Columns<Self>) -> SQLExpression<Value>
  ) -> Projection<Value> {
    table.select(value)
  }

  /// Returns a projection of several values of each row: `Book.select { ($0.title, $0.rating) }`.
  @inlinable
  public static func select<
    FirstValue: SQLReadable & Sendable, SecondValue: SQLReadable & Sendable,
    each Value: SQLReadable & Sendable
  >(
    _ values: (Columns<Self>) -> (
      SQLExpression<FirstValue>, SQLExpression<SecondValue>, repeat SQLExpression<each Value>
    )
  ) -> Projection<(FirstValue, SecondValue, repeat each Value)> {
    table.select(values)
  }

  /// Returns a projection of several values of each row, combined into one element by `make`.
  @inlinable
  public static func select<each Value: SQLReadable & Sendable, Element: SendableMetatype>(
    as make: @escaping @Sendable (repeat each Value) -> Element,
    _ values: (Columns<Self>) -> (repeat SQLExpression<each Value>)
  ) -> Projection<Element> {
    table.select(as: make, values)
  }

  /// Returns a query of the groups of rows that have the same value of an expression:
  /// `Book.group { $0.genre }`.
  @inlinable
  public static func group<Value>(
    by value: (Columns<Self>) -> SQLExpression<Value>
  ) -> GroupedQuery<Self> {
    table.group(by: value)
  }

  /// Returns a query of the groups of rows that have the same values of several expressions:
  /// `Book.group { ($0.genre, $0.shelf) }`.
  @inlinable
  public static func group<FirstValue, SecondValue, each Value>(
    by values: (Columns<Self>) -> (
      SQLExpression<FirstValue>, SQLExpression<SecondValue>, repeat SQLExpression<each Value>
    )
  ) -> GroupedQuery<Self> {
    table.group(by: values)
  }

  // MARK: Joins

  /// Returns a join that combines each row with every record of another table for which
  /// the condition is true: `Book.join(Author.all) { $0.authorID == $1.id }`.
  @inlinable
  public static func join<Other: TableRows>(
    _ other: Other, on condition: (Columns<Self>, Columns<Other.Record>) -> Condition
  ) -> TwoTableJoin<Joined<Self>, Joined<Other.Record>> {
    table.join(other, on: condition)
  }

  /// Returns a left join that combines each row with every record of another table for which the
  /// condition is true, or with `nil` if there is no such record.
  @inlinable
  public static func leftJoin<Other: TableRows>(
    _ other: Other, on condition: (Columns<Self>, Columns<Other.Record>) -> Condition
  ) -> TwoTableJoin<Joined<Self>, OptionallyJoined<Other.Record>> {
    table.leftJoin(other, on: condition)
  }

  /// Returns a join that combines each row with every record of another table.
  @inlinable
  public static func crossJoin<Other: TableRows>(
    _ other: Other
  ) -> TwoTableJoin<Joined<Self>, Joined<Other.Record>> {
    table.crossJoin(other)
  }
}
