import UndercroftSQLite

// Aggregates over all rows of a query, or over the rows of each group. All aggregates except
// `rowCount` ignore NULL.

extension Columns {
  /// The number of rows of the query or of the group, including rows whose values are all NULL:
  /// `group { $0.genre }.having { $0.rowCount > 1 }`. (`count(*)`)
  ///
  /// If the record has a property `rowCount`, its column is `$0[dynamicMember: \.rowCount]`.
  public var rowCount: SQLExpression<Int> { SQLExpression("count(*)", .atom) }
}

extension OptionalColumns {
  /// The number of rows of the join, including rows for which
  /// a left join found no record of this table. (`count(*)`)
  public var rowCount: SQLExpression<Int> { columns.rowCount }
}

extension SQLExpression where Value: ColumnValue {
  /// The number of rows of the query or of the group
  /// in which this expression is not NULL. (`count`)
  public var count: SQLExpression<Int> { call("count") }

  /// The number of distinct values of this expression in the
  /// query or in the group, without NULL. (`count(DISTINCT …)`)
  public var distinctCount: SQLExpression<Int> {
    SQLExpression<Int>("count(DISTINCT \(sql))", .atom, reading: tables)
  }

  /// The least value of this expression in the query or in the
  /// group, or `nil` if the expression is NULL in all rows. (`min`)
  public var min: SQLExpression<Value.Unwrapped?> { call("min") }

  /// The greatest value of this expression in the query or in the
  /// group, or `nil` if the expression is NULL in all rows. (`max`)
  public var max: SQLExpression<Value.Unwrapped?> { call("max") }
}

extension SQLExpression where Value: NumberValue {
  /// The sum of this expression over the rows of the query or of the group, or `nil` if the
  /// expression is NULL in all rows. (`sum`)
  ///
  /// A sum of integers that does not fit into 64 bits throws an error.
  public var sum: SQLExpression<Value.Unwrapped?> { call("sum") }

  /// The sum of this expression over the rows of the query or of the group as a floating-point
  /// number, or 0 if the expression is NULL in all rows. (`total`)
  public var total: SQLExpression<Double> { call("total") }

  /// The average of this expression over the rows of the query or of the group, or `nil` if the
  /// expression is NULL in all rows. (`avg`)
  public var average: SQLExpression<Double?> { call("avg") }
}
