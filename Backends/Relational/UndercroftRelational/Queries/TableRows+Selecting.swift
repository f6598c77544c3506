import UndercroftCore
public import UndercroftSQLite

extension TableRows {
  /// Returns a projection of one value of each row: `select { $0.title }`.
  public func select<Value: SQLReadable & Sendable>(
    _ value: (Columns<Record>) -> SQLExpression<Value>
  ) -> Projection<Value> {
    Selected(value(all.table.columns)).projection(all.tables, all.projected)
  }

  /// Returns a projection of several values of each row: `select { ($0.title, $0.rating) }`.
  public func select<
    FirstValue: SQLReadable & Sendable, SecondValue: SQLReadable & Sendable,
    each Value: SQLReadable & Sendable
  >(
    _ values: (Columns<Record>) -> (
      SQLExpression<FirstValue>, SQLExpression<SecondValue>, repeat SQLExpression<each Value>
    )
  ) -> Projection<(FirstValue, SecondValue, repeat each Value)> {
    selectTuple(values)
  }

  // Swift 6.3 cannot compile a function that destructures a tuple of single elements and a pack, so
  // the public function passes its closure on.
  private func selectTuple<each Value: SQLReadable & Sendable>(
    _ values: (Columns<Record>) -> (repeat SQLExpression<each Value>)
  ) -> Projection<(repeat each Value)> {
    let values = values(all.table.columns)
    return Selected(repeat each values).projection(all.tables, all.projected)
  }

  /// Returns a projection of several values of each row, combined into one element by `make`:
  /// `select(as: Card.init) { ($0.title, $0.rating) }`.
  public func select<each Value: SQLReadable & Sendable, Element: SendableMetatype>(
    as make: @escaping @Sendable (repeat each Value) -> Element,
    _ values: (Columns<Record>) -> (repeat SQLExpression<each Value>)
  ) -> Projection<Element> {
    let values = values(all.table.columns)
    return Selected(as: make, repeat each values).projection(all.tables, all.projected)
  }

  /// Returns one value of each row.
  public func fetchValues<Value: SQLReadable & Sendable>(
    in db: Connection, _ value: (Columns<Record>) -> SQLExpression<Value>
  ) throws -> [Value] {
    try select(value).fetchAll(in: db)
  }

  /// Returns the distinct values of an expression over all rows.
  public func fetchDistinctValues<Value: SQLReadable & Sendable>(
    in db: Connection, _ value: (Columns<Record>) -> SQLExpression<Value>
  ) throws -> [Value] {
    try select(value).distinct().fetchAll(in: db)
  }

  /// Returns the primary keys of the rows.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the primary key is not a single column.
  public func fetchKeys<Key: SQLReadable & Sendable>(
    as type: Key.Type = Int64.self, in db: Connection
  ) throws -> [Key] {
    let key = try all.table.definition.requireOneKey("read the keys")
    return try select { _ in SQLExpression<Key>("\(identifier: key.name)", .atom) }.fetchAll(in: db)
  }

  /// Returns one value that is aggregated over all rows: `fetchValue(in: db) { $0.rating.max }`.
  public func fetchValue<Value: SQLReadable & Sendable>(
    in db: Connection, _ aggregate: (Columns<Record>) -> SQLExpression<Value>
  ) throws -> Value {
    let aggregate = aggregate(all.table.columns)
    let query = all
    var statement = query.statement(aggregate.sql)
    if query.limit != nil || query.offset > 0 || query.isDistinct {
      // Limit and offset select the rows to aggregate. Applied to
      // the outer query, they would limit its single result row.
      let name = SQL(unchecked: query.table.definition.quotedName)
      statement = SelectStatement(
        aggregate.sql, from: "(\(query.select(query.allColumns))) AS \(name)")
    }
    statement.orders = []
    let tables = query.tables + aggregate.tables
    return try db.fetchValue(try TableDefinition.ready(statement.sql, reading: tables, in: db))
  }
}

extension TableDefinition {
  /// Returns the single column of the primary key.
  ///
  /// - Parameter purpose: The words after "cannot" in the message of the error.
  /// - Throws: ``StorageError/Code/misuse`` if the primary key is not a single column.
  func requireOneKey(_ purpose: String) throws(StorageError) -> ColumnDefinition {
    let keys = try requireKey(purpose)
    guard keys.count == 1, let key = keys.first else {
      throw StorageError(
        .misuse,
        """
        cannot \(purpose) of \(quoted(name)): the primary key of the table has \(keys.count) \
        columns, not one
        """,
        suggestion: "fetch the records, or select the columns of the primary key",
        backend: "sqlite")
    }
    return key
  }
}
