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
  /// The number of rows of the join, including rows without a record of this table. (`count(*)`)
  public var rowCount: SQLExpression<Int> { columns.rowCount }
}

extension SQLExpression where Value: ColumnValue {
  /// The number of rows in which the value is not NULL.
  public var count: SQLExpression<Int> { call("count") }

  /// The number of distinct values, without NULL.
  public var distinctCount: SQLExpression<Int> {
    SQLExpression<Int>("count(DISTINCT \(sql))", .atom, reading: tables)
  }

  /// The least value, or `nil` if no row has a value.
  public var min: SQLExpression<Value.Unwrapped?> { call("min") }

  /// The greatest value, or `nil` if no row has a value.
  public var max: SQLExpression<Value.Unwrapped?> { call("max") }
}

extension SQLExpression where Value: NumberValue {
  /// The sum of the values, or `nil` if no row has a value.
  ///
  /// A sum of integers that does not fit into 64 bits throws an error.
  public var sum: SQLExpression<Value.Unwrapped?> { call("sum") }

  /// The sum of the values as a floating-point number, or 0 if no row has a value. (`total`)
  public var total: SQLExpression<Double> { call("total") }

  /// The average of the values, or `nil` if no row has a value. (`avg`)
  public var average: SQLExpression<Double?> { call("avg") }
}
