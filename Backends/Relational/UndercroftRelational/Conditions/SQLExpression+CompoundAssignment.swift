import UndercroftSQLite

// The operators `+=` and `-=` of assignments: `$0.rating += 1`.

extension SQLExpression where Value: NumberValue {
  /// Adds a value to the column.
  public static func += (lhs: inout Self, value: Value) { lhs = lhs + value }
  /// Adds an expression to the column.
  public static func += (lhs: inout Self, rhs: Self) { lhs = lhs + rhs }
  /// Subtracts a value from the column.
  public static func -= (lhs: inout Self, value: Value) { lhs = lhs - value }
  /// Subtracts an expression from the column.
  public static func -= (lhs: inout Self, rhs: Self) { lhs = lhs - rhs }
}

// Swift does not consider generic operators if another one matches. The operators of `Int` match
// the columns of ``Assignments``, which can be set to Swift values, but not read. The operators are
// therefore repeated for each number type that has its own operators.

/// Adds a value to the column.
public func += (lhs: inout SQLExpression<Int>, value: Int) { lhs = lhs + value }
/// Adds an expression to the column.
public func += (lhs: inout SQLExpression<Int>, rhs: SQLExpression<Int>) { lhs = lhs + rhs }
/// Subtracts a value from the column.
public func -= (lhs: inout SQLExpression<Int>, value: Int) { lhs = lhs - value }
/// Subtracts an expression from the column.
public func -= (lhs: inout SQLExpression<Int>, rhs: SQLExpression<Int>) { lhs = lhs - rhs }

/// Adds a value to the column.
public func += (lhs: inout SQLExpression<Int64>, value: Int64) { lhs = lhs + value }
/// Adds an expression to the column.
public func += (lhs: inout SQLExpression<Int64>, rhs: SQLExpression<Int64>) { lhs = lhs + rhs }
/// Subtracts a value from the column.
public func -= (lhs: inout SQLExpression<Int64>, value: Int64) { lhs = lhs - value }
/// Subtracts an expression from the column.
public func -= (lhs: inout SQLExpression<Int64>, rhs: SQLExpression<Int64>) { lhs = lhs - rhs }

/// Adds a value to the column.
public func += (lhs: inout SQLExpression<Int32>, value: Int32) { lhs = lhs + value }
/// Adds an expression to the column.
public func += (lhs: inout SQLExpression<Int32>, rhs: SQLExpression<Int32>) { lhs = lhs + rhs }
/// Subtracts a value from the column.
public func -= (lhs: inout SQLExpression<Int32>, value: Int32) { lhs = lhs - value }
/// Subtracts an expression from the column.
public func -= (lhs: inout SQLExpression<Int32>, rhs: SQLExpression<Int32>) { lhs = lhs - rhs }

/// Adds a value to the column.
public func += (lhs: inout SQLExpression<Int16>, value: Int16) { lhs = lhs + value }
/// Adds an expression to the column.
public func += (lhs: inout SQLExpression<Int16>, rhs: SQLExpression<Int16>) { lhs = lhs + rhs }
/// Subtracts a value from the column.
public func -= (lhs: inout SQLExpression<Int16>, value: Int16) { lhs = lhs - value }
/// Subtracts an expression from the column.
public func -= (lhs: inout SQLExpression<Int16>, rhs: SQLExpression<Int16>) { lhs = lhs - rhs }

/// Adds a value to the column.
public func += (lhs: inout SQLExpression<Int8>, value: Int8) { lhs = lhs + value }
/// Adds an expression to the column.
public func += (lhs: inout SQLExpression<Int8>, rhs: SQLExpression<Int8>) { lhs = lhs + rhs }
/// Subtracts a value from the column.
public func -= (lhs: inout SQLExpression<Int8>, value: Int8) { lhs = lhs - value }
/// Subtracts an expression from the column.
public func -= (lhs: inout SQLExpression<Int8>, rhs: SQLExpression<Int8>) { lhs = lhs - rhs }

/// Adds a value to the column.
public func += (lhs: inout SQLExpression<UInt>, value: UInt) { lhs = lhs + value }
/// Adds an expression to the column.
public func += (lhs: inout SQLExpression<UInt>, rhs: SQLExpression<UInt>) { lhs = lhs + rhs }
/// Subtracts a value from the column.
public func -= (lhs: inout SQLExpression<UInt>, value: UInt) { lhs = lhs - value }
/// Subtracts an expression from the column.
public func -= (lhs: inout SQLExpression<UInt>, rhs: SQLExpression<UInt>) { lhs = lhs - rhs }

/// Adds a value to the column.
public func += (lhs: inout SQLExpression<UInt64>, value: UInt64) { lhs = lhs + value }
/// Adds an expression to the column.
public func += (lhs: inout SQLExpression<UInt64>, rhs: SQLExpression<UInt64>) { lhs = lhs + rhs }
/// Subtracts a value from the column.
public func -= (lhs: inout SQLExpression<UInt64>, value: UInt64) { lhs = lhs - value }
/// Subtracts an expression from the column.
public func -= (lhs: inout SQLExpression<UInt64>, rhs: SQLExpression<UInt64>) { lhs = lhs - rhs }

/// Adds a value to the column.
public func += (lhs: inout SQLExpression<UInt32>, value: UInt32) { lhs = lhs + value }
/// Adds an expression to the column.
public func += (lhs: inout SQLExpression<UInt32>, rhs: SQLExpression<UInt32>) { lhs = lhs + rhs }
/// Subtracts a value from the column.
public func -= (lhs: inout SQLExpression<UInt32>, value: UInt32) { lhs = lhs - value }
/// Subtracts an expression from the column.
public func -= (lhs: inout SQLExpression<UInt32>, rhs: SQLExpression<UInt32>) { lhs = lhs - rhs }

/// Adds a value to the column.
public func += (lhs: inout SQLExpression<UInt16>, value: UInt16) { lhs = lhs + value }
/// Adds an expression to the column.
public func += (lhs: inout SQLExpression<UInt16>, rhs: SQLExpression<UInt16>) { lhs = lhs + rhs }
/// Subtracts a value from the column.
public func -= (lhs: inout SQLExpression<UInt16>, value: UInt16) { lhs = lhs - value }
/// Subtracts an expression from the column.
public func -= (lhs: inout SQLExpression<UInt16>, rhs: SQLExpression<UInt16>) { lhs = lhs - rhs }

/// Adds a value to the column.
public func += (lhs: inout SQLExpression<UInt8>, value: UInt8) { lhs = lhs + value }
/// Adds an expression to the column.
public func += (lhs: inout SQLExpression<UInt8>, rhs: SQLExpression<UInt8>) { lhs = lhs + rhs }
/// Subtracts a value from the column.
public func -= (lhs: inout SQLExpression<UInt8>, value: UInt8) { lhs = lhs - value }
/// Subtracts an expression from the column.
public func -= (lhs: inout SQLExpression<UInt8>, rhs: SQLExpression<UInt8>) { lhs = lhs - rhs }

/// Adds a value to the column.
public func += (lhs: inout SQLExpression<Double>, value: Double) { lhs = lhs + value }
/// Adds an expression to the column.
public func += (lhs: inout SQLExpression<Double>, rhs: SQLExpression<Double>) { lhs = lhs + rhs }
/// Subtracts a value from the column.
public func -= (lhs: inout SQLExpression<Double>, value: Double) { lhs = lhs - value }
/// Subtracts an expression from the column.
public func -= (lhs: inout SQLExpression<Double>, rhs: SQLExpression<Double>) { lhs = lhs - rhs }

/// Adds a value to the column.
public func += (lhs: inout SQLExpression<Float>, value: Float) { lhs = lhs + value }
/// Adds an expression to the column.
public func += (lhs: inout SQLExpression<Float>, rhs: SQLExpression<Float>) { lhs = lhs + rhs }
/// Subtracts a value from the column.
public func -= (lhs: inout SQLExpression<Float>, value: Float) { lhs = lhs - value }
/// Subtracts an expression from the column.
public func -= (lhs: inout SQLExpression<Float>, rhs: SQLExpression<Float>) { lhs = lhs - rhs }
