import UndercroftSQLite

extension SQLExpression where Value: ColumnValue {
  /// Whether its value is one of these, `nil` for none; never, when there are none.
  public func isIn(_ values: [Value]) -> Condition {
    let list = ValueList(values)
    if list.isEmpty { return list.holdsNull ? joined("IS", "NULL") : .never }
    let found: Condition = joined("IN", "(\(list.sql))")
    return list.holdsNull ? found || joined("IS", "NULL") : found
  }

  /// Whether its value is none of these; always, when there are none.
  public func isNotIn(_ values: [Value]) -> Condition { !isIn(values) }

  /// Whether its value is one that a query returns: `$0.authorID.isIn(Author.table.where { … }.select { $0.id })`.
  public func isIn<Other: ColumnValue>(
    _ query: Projection<Other>
  ) -> Condition where Other.Unwrapped == Value.Unwrapped {
    Condition("\(operand) IN (\(query.sql))", .loose, reading: tables + query.tables)
  }

  /// Whether its value is none that a query returns.
  ///
  /// Where the query returns NULL as well, it is none either.
  public func isNotIn<Other: ColumnValue>(
    _ query: Projection<Other>
  ) -> Condition where Other.Unwrapped == Value.Unwrapped { !isIn(query) }
}
