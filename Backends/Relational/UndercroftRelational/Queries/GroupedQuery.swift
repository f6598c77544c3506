public import UndercroftSQLite

/// A query of groups of rows: the rows of each group have the same value of one or more
/// expressions.
///
/// Creating the query does not access the database.
public struct GroupedQuery<Record>: Sendable {
  let query: TableQuery<Record>
  private var groups: [SQL]
  private var having: Condition?
  private let grouping: [TableDefinition]

  init(_ query: TableQuery<Record>, _ groups: [SQL], reading grouping: [TableDefinition]) {
    (self.query, self.groups, self.grouping) = (query, groups, grouping)
  }

  /// Returns a query of the groups that also satisfy `condition`:
  /// `having { $0.rating.average > 3 }`.
  public func having(_ condition: (Columns<Record>) -> Condition) -> Self {
    let further = condition(query.table.columns)
    var grouped = self
    grouped.having = having.map { $0 && further } ?? further
    return grouped
  }

  /// Returns a projection of one value of each group.
  public func select<Value: SQLReadable & Sendable>(
    _ value: (Columns<Record>) -> SQLExpression<Value>
  ) -> Projection<Value> {
    Selected(value(query.table.columns)).projection(tables, statement)
  }

  /// Returns a projection of several values of each group:
  /// `select { ($0.genre, $0.rating.average, $0.rowCount) }`.
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

  private func selectTuple<each Value: SQLReadable & Sendable>(
    _ values: (Columns<Record>) -> (repeat SQLExpression<each Value>)
  ) -> Projection<(repeat each Value)> {
    let values = values(query.table.columns)
    return Selected(repeat each values).projection(tables, statement)
  }

  /// Returns a projection of several values of each group, combined into one element by `make`.
  public func select<each Value: SQLReadable & Sendable, Element: SendableMetatype>(
    as make: @escaping @Sendable (repeat each Value) -> Element,
    _ values: (Columns<Record>) -> (repeat SQLExpression<each Value>)
  ) -> Projection<Element> {
    let values = values(query.table.columns)
    return Selected(as: make, repeat each values).projection(tables, statement)
  }

  private var tables: [TableDefinition] { query.tables + grouping + (having?.tables ?? []) }

  private func statement(_ columns: SQL) -> SelectStatement {
    var statement = query.statement(columns)
    statement.groups = groups
    statement.having = having
    return statement
  }
}

extension TableRows {
  /// Returns a query of the groups of rows that have the same value of an expression:
  /// `group { $0.genre }`.
  ///
  /// A preceding `where(_:)` filters the rows before they are grouped. The order and the limit of
  /// the query apply to the groups.
  public func group<Value>(
    by value: (Columns<Record>) -> SQLExpression<Value>
  ) -> GroupedQuery<Record> {
    let value = value(all.table.columns)
    return GroupedQuery(all, [value.sql], reading: value.tables)
  }

  /// Returns a query of the groups of rows that have the same values of several expressions:
  /// `group { ($0.genre, $0.shelf) }`.
  public func group<FirstValue, SecondValue, each Value>(
    by values: (Columns<Record>) -> (
      SQLExpression<FirstValue>, SQLExpression<SecondValue>, repeat SQLExpression<each Value>
    )
  ) -> GroupedQuery<Record> {
    groupByTuple(values)
  }

  private func groupByTuple<each Value>(
    _ values: (Columns<Record>) -> (repeat SQLExpression<each Value>)
  ) -> GroupedQuery<Record> {
    var groups: [SQL] = []
    var tables: [TableDefinition] = []
    for value in repeat each values(all.table.columns) {
      groups.append(value.sql)
      tables += value.tables
    }
    return GroupedQuery(all, groups, reading: tables)
  }
}
