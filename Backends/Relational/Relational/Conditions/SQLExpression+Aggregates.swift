import UndercroftSQLite

// One value of many rows: of a whole query, or of each of its groups. NULL is left out of all of them.

extension SQLExpression where Value == Int {
  /// How many rows there are. (`count(*)`)
  public static var rowCount: Self { Self("count(*)", .atom) }
}

extension SQLExpression where Value: ColumnValue {
  /// How many rows have a value.
  public var count: SQLExpression<Int> { call("count") }

  /// How many different values there are.
  public var distinctCount: SQLExpression<Int> {
    SQLExpression<Int>("count(DISTINCT \(sql))", .atom, reading: tables)
  }

  /// The least value, or `nil` when there is none.
  public var min: SQLExpression<Value.Unwrapped?> { call("min") }

  /// The greatest value, or `nil` when there is none.
  public var max: SQLExpression<Value.Unwrapped?> { call("max") }
}

extension SQLExpression where Value: NumberValue {
  /// The sum, or `nil` when there is no value; one of integers that does not fit 64 bits is an error.
  public var sum: SQLExpression<Value.Unwrapped?> { call("sum") }

  /// The sum as a floating-point number, 0 when there is no value. (`total`)
  public var total: SQLExpression<Double> { call("total") }

  /// The average, or `nil` when there is no value. (`avg`)
  public var average: SQLExpression<Double?> { call("avg") }
}
