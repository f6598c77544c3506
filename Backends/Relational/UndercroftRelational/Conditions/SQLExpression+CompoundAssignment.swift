import UndercroftSQLite

// The compound operators of assignments: `$0.rating += 1`.

extension SQLExpression where Value: NumberValue {
  /// Adds a value to the column.
  public static func += (lhs: inout Self, value: Value) { lhs = lhs + value }
  /// Adds an expression to the column.
  public static func += (lhs: inout Self, rhs: Self) { lhs = lhs + rhs }
  /// Subtracts a value from the column.
  public static func -= (lhs: inout Self, value: Value) { lhs = lhs - value }
  /// Subtracts an expression from the column.
  public static func -= (lhs: inout Self, rhs: Self) { lhs = lhs - rhs }
  /// Multiplies the column by a value.
  public static func *= (lhs: inout Self, value: Value) { lhs = lhs * value }
  /// Multiplies the column by an expression.
  public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }
  /// Divides the column by a value.
  public static func /= (lhs: inout Self, value: Value) { lhs = lhs / value }
  /// Divides the column by an expression.
  public static func /= (lhs: inout Self, rhs: Self) { lhs = lhs / rhs }
}

extension SQLExpression {
  /// Adds an expression that is not optional to the optional column.
  public static func += <Wrapped: NumberValue>(lhs: inout Self, rhs: SQLExpression<Wrapped>)
  where Value == Wrapped? { lhs = lhs + rhs.asOptional }
  /// Subtracts an expression that is not optional from the optional column.
  public static func -= <Wrapped: NumberValue>(lhs: inout Self, rhs: SQLExpression<Wrapped>)
  where Value == Wrapped? { lhs = lhs - rhs.asOptional }
  /// Multiplies the optional column by an expression that is not optional.
  public static func *= <Wrapped: NumberValue>(lhs: inout Self, rhs: SQLExpression<Wrapped>)
  where Value == Wrapped? { lhs = lhs * rhs.asOptional }
  /// Divides the optional column by an expression that is not optional.
  public static func /= <Wrapped: NumberValue>(lhs: inout Self, rhs: SQLExpression<Wrapped>)
  where Value == Wrapped? { lhs = lhs / rhs.asOptional }
}

// Swift does not consider generic operators if an operator that is not generic matches. The
// operators of `Int` match the columns of ``Assignments``, which can be set to Swift values, but
// not read. The operators are therefore repeated for each number type that has its own operators.

/// Adds a value to the column.
public func += (lhs: inout SQLExpression<Double>, value: Double) { lhs = lhs + value }
/// Adds an expression to the column.
public func += (lhs: inout SQLExpression<Double>, rhs: SQLExpression<Double>) { lhs = lhs + rhs }
/// Subtracts a value from the column.
public func -= (lhs: inout SQLExpression<Double>, value: Double) { lhs = lhs - value }
/// Subtracts an expression from the column.
public func -= (lhs: inout SQLExpression<Double>, rhs: SQLExpression<Double>) { lhs = lhs - rhs }
/// Multiplies the column by a value.
public func *= (lhs: inout SQLExpression<Double>, value: Double) { lhs = lhs * value }
/// Multiplies the column by an expression.
public func *= (lhs: inout SQLExpression<Double>, rhs: SQLExpression<Double>) { lhs = lhs * rhs }
/// Divides the column by a value.
public func /= (lhs: inout SQLExpression<Double>, value: Double) { lhs = lhs / value }
/// Divides the column by an expression.
public func /= (lhs: inout SQLExpression<Double>, rhs: SQLExpression<Double>) { lhs = lhs / rhs }

/// Adds a value to the column.
public func += (lhs: inout SQLExpression<Float>, value: Float) { lhs = lhs + value }
/// Adds an expression to the column.
public func += (lhs: inout SQLExpression<Float>, rhs: SQLExpression<Float>) { lhs = lhs + rhs }
/// Subtracts a value from the column.
public func -= (lhs: inout SQLExpression<Float>, value: Float) { lhs = lhs - value }
/// Subtracts an expression from the column.
public func -= (lhs: inout SQLExpression<Float>, rhs: SQLExpression<Float>) { lhs = lhs - rhs }
/// Multiplies the column by a value.
public func *= (lhs: inout SQLExpression<Float>, value: Float) { lhs = lhs * value }
/// Multiplies the column by an expression.
public func *= (lhs: inout SQLExpression<Float>, rhs: SQLExpression<Float>) { lhs = lhs * rhs }
/// Divides the column by a value.
public func /= (lhs: inout SQLExpression<Float>, value: Float) { lhs = lhs / value }
/// Divides the column by an expression.
public func /= (lhs: inout SQLExpression<Float>, rhs: SQLExpression<Float>) { lhs = lhs / rhs }
