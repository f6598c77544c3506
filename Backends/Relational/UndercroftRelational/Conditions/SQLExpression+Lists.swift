import UndercroftSQLite

extension SQLExpression where Value: ColumnValue {
  /// Returns a condition that is true if the value is in the list.
  ///
  /// `nil` in the list matches NULL. The condition is never true for an empty list.
  public func isIn(_ values: [Value]) -> Condition {
    let list = ValueList(values, comparedWith: operand)
    if list.isEmpty { return list.containsNull ? joined("IS", "NULL") : .never }
    let found: Condition = joined("IN", "(\(list.sql))")
    return list.containsNull ? found || joined("IS", "NULL") : found
  }

  /// Returns a condition that is true if the value is not in the list.
  ///
  /// The condition is always true for an empty list. If the value is NULL, the condition is true
  /// unless the list contains `nil`.
  public func isNotIn(_ values: [Value]) -> Condition { !isIn(values) }

  /// Returns a condition that is true if a query returns the value:
  /// `$0.authorID.isIn(Author.where { … }.select { $0.id })`.
  public func isIn<Other: ColumnValue>(
    _ query: Projection<Other>
  ) -> Condition where Other.Unwrapped == Value.Unwrapped {
    Condition("\(operand) IN (\(query.sql))", .loose, reading: tables + query.tables)
  }

  /// Returns a condition that is true if a query does not return the value.
  ///
  /// Unlike `NOT IN` of SQL, the condition is true if the value is NULL, and NULL in the result of
  /// the query has no effect.
  public func isNotIn<Other: ColumnValue>(
    _ query: Projection<Other>
  ) -> Condition where Other.Unwrapped == Value.Unwrapped { !isIn(query) }
}
