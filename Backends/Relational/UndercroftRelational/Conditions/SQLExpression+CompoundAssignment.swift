import UndercroftSQLite

// The compound operators of assignments: `$0.rating += 1`.

extension SQLExpression where Value: NumberValue {
  /// Adds `value` to the column `lhs` in an update, as in `update(in: db) { $0.rating += 1 }`.
  public static func += (lhs: inout Self, value: Value) { lhs = lhs + value }
  /// Adds the expression `rhs` to the column `lhs` in an update, as in `$0.total += $0.price`.
  public static func += (lhs: inout Self, rhs: Self) { lhs = lhs + rhs }
  /// Subtracts `value` from the column `lhs` in an update, as in
  /// `update(in: db) { $0.rating -= 1 }`.
  public static func -= (lhs: inout Self, value: Value) { lhs = lhs - value }
  /// Subtracts the expression `rhs` from the column
  /// `lhs` in an update, as in `$0.total -= $0.price`.
  public static func -= (lhs: inout Self, rhs: Self) { lhs = lhs - rhs }
  /// Multiplies the column `lhs` by `value` in an update, as in
  /// `update(in: db) { $0.rating *= 2 }`.
  public static func *= (lhs: inout Self, value: Value) { lhs = lhs * value }
  /// Multiplies the column `lhs` by the expression
  /// `rhs` in an update, as in `$0.price *= $0.count`.
  public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }
  /// Divides the column `lhs` by `value` in an update, as in `update(in: db) { $0.rating /= 2 }`.
  public static func /= (lhs: inout Self, value: Value) { lhs = lhs / value }
  /// Divides the column `lhs` by the expression `rhs` in an update, as in `$0.price /= $0.count`.
  public static func /= (lhs: inout Self, rhs: Self) { lhs = lhs / rhs }
}

extension SQLExpression {
  /// Adds the non-optional expression `rhs` to the optional column `lhs` in an update.
  public static func += <Wrapped: NumberValue>(lhs: inout Self, rhs: SQLExpression<Wrapped>)
  where Value == Wrapped? { lhs = lhs + rhs.asOptional }
  /// Subtracts the non-optional expression `rhs` from the optional column `lhs` in an update.
  public static func -= <Wrapped: NumberValue>(lhs: inout Self, rhs: SQLExpression<Wrapped>)
  where Value == Wrapped? { lhs = lhs - rhs.asOptional }
  /// Multiplies the optional column `lhs` by the non-optional expression `rhs` in an update.
  public static func *= <Wrapped: NumberValue>(lhs: inout Self, rhs: SQLExpression<Wrapped>)
  where Value == Wrapped? { lhs = lhs * rhs.asOptional }
  /// Divides the optional column `lhs` by the non-optional expression `rhs` in an update.
  public static func /= <Wrapped: NumberValue>(lhs: inout Self, rhs: SQLExpression<Wrapped>)
  where Value == Wrapped? { lhs = lhs / rhs.asOptional }
}

// Swift does not consider generic operators if an operator that is not generic matches. The
// operators of `Int` match the columns of ``Assignments``, which can be set to Swift values, but
// not read. The operators are therefore repeated for each number type that has its own operators.

/// Adds `value` to the column `lhs` in an update, as in `update(in: db) { $0.rating += 1 }`.
public func += (lhs: inout SQLExpression<Double>, value: Double) { lhs = lhs + value }
/// Adds the expression `rhs` to the column `lhs` in an update, as in `$0.total += $0.price`.
public func += (lhs: inout SQLExpression<Double>, rhs: SQLExpression<Double>) { lhs = lhs + rhs }
/// Subtracts `value` from the column `lhs` in an update, as in `update(in: db) { $0.rating -= 1 }`.
public func -= (lhs: inout SQLExpression<Double>, value: Double) { lhs = lhs - value }
/// Subtracts the expression `rhs` from the column `lhs` in an update, as in `$0.total -= $0.price`.
public func -= (lhs: inout SQLExpression<Double>, rhs: SQLExpression<Double>) { lhs = lhs - rhs }
/// Multiplies the column `lhs` by `value` in an update, as in `update(in: db) { $0.rating *= 2 }`.
public func *= (lhs: inout SQLExpression<Double>, value: Double) { lhs = lhs * value }
/// Multiplies the column `lhs` by the expression `rhs` in an update, as in `$0.price *= $0.count`.
public func *= (lhs: inout SQLExpression<Double>, rhs: SQLExpression<Double>) { lhs = lhs * rhs }
/// Divides the column `lhs` by `value` in an update, as in `update(in: db) { $0.rating /= 2 }`.
public func /= (lhs: inout SQLExpression<Double>, value: Double) { lhs = lhs / value }
/// Divides the column `lhs` by the expression `rhs` in an update, as in `$0.price /= $0.count`.
public func /= (lhs: inout SQLExpression<Double>, rhs: SQLExpression<Double>) { lhs = lhs / rhs }

/// Adds `value` to the column `lhs` in an update, as in `update(in: db) { $0.rating += 1 }`.
public func += (lhs: inout SQLExpression<Float>, value: Float) { lhs = lhs + value }
/// Adds the expression `rhs` to the column `lhs` in an update, as in `$0.total += $0.price`.
public func += (lhs: inout SQLExpression<Float>, rhs: SQLExpression<Float>) { lhs = lhs + rhs }
/// Subtracts `value` from the column `lhs` in an update, as in `update(in: db) { $0.rating -= 1 }`.
public func -= (lhs: inout SQLExpression<Float>, value: Float) { lhs = lhs - value }
/// Subtracts the expression `rhs` from the column `lhs` in an update, as in `$0.total -= $0.price`.
public func -= (lhs: inout SQLExpression<Float>, rhs: SQLExpression<Float>) { lhs = lhs - rhs }
/// Multiplies the column `lhs` by `value` in an update, as in `update(in: db) { $0.rating *= 2 }`.
public func *= (lhs: inout SQLExpression<Float>, value: Float) { lhs = lhs * value }
/// Multiplies the column `lhs` by the expression `rhs` in an update, as in `$0.price *= $0.count`.
public func *= (lhs: inout SQLExpression<Float>, rhs: SQLExpression<Float>) { lhs = lhs * rhs }
/// Divides the column `lhs` by `value` in an update, as in `update(in: db) { $0.rating /= 2 }`.
public func /= (lhs: inout SQLExpression<Float>, value: Float) { lhs = lhs / value }
/// Divides the column `lhs` by the expression `rhs` in an update, as in `$0.price /= $0.count`.
public func /= (lhs: inout SQLExpression<Float>, rhs: SQLExpression<Float>) { lhs = lhs / rhs }
