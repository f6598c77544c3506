import UndercroftSQLite

// The compound operators of columns that are integers, for the reason given in
// SQLExpression+CompoundAssignment.swift.

/// Adds `value` to the column `lhs` in an update, as in `update(in: db) { $0.rating += 1 }`.
public func += (lhs: inout SQLExpression<Int>, value: Int) { lhs = lhs + value }
/// Adds the expression `rhs` to the column `lhs` in an update, as in `$0.total += $0.price`.
public func += (lhs: inout SQLExpression<Int>, rhs: SQLExpression<Int>) { lhs = lhs + rhs }
/// Subtracts `value` from the column `lhs` in an update, as in `update(in: db) { $0.rating -= 1 }`.
public func -= (lhs: inout SQLExpression<Int>, value: Int) { lhs = lhs - value }
/// Subtracts the expression `rhs` from the column `lhs` in an update, as in `$0.total -= $0.price`.
public func -= (lhs: inout SQLExpression<Int>, rhs: SQLExpression<Int>) { lhs = lhs - rhs }
/// Multiplies the column `lhs` by `value` in an update, as in `update(in: db) { $0.rating *= 2 }`.
public func *= (lhs: inout SQLExpression<Int>, value: Int) { lhs = lhs * value }
/// Multiplies the column `lhs` by the expression `rhs` in an update, as in `$0.price *= $0.count`.
public func *= (lhs: inout SQLExpression<Int>, rhs: SQLExpression<Int>) { lhs = lhs * rhs }
/// Divides the column `lhs` by `value` in an update, as in `update(in: db) { $0.rating /= 2 }`.
public func /= (lhs: inout SQLExpression<Int>, value: Int) { lhs = lhs / value }
/// Divides the column `lhs` by the expression `rhs` in an update, as in `$0.price /= $0.count`.
public func /= (lhs: inout SQLExpression<Int>, rhs: SQLExpression<Int>) { lhs = lhs / rhs }

/// Adds `value` to the column `lhs` in an update, as in `update(in: db) { $0.rating += 1 }`.
public func += (lhs: inout SQLExpression<Int64>, value: Int64) { lhs = lhs + value }
/// Adds the expression `rhs` to the column `lhs` in an update, as in `$0.total += $0.price`.
public func += (lhs: inout SQLExpression<Int64>, rhs: SQLExpression<Int64>) { lhs = lhs + rhs }
/// Subtracts `value` from the column `lhs` in an update, as in `update(in: db) { $0.rating -= 1 }`.
public func -= (lhs: inout SQLExpression<Int64>, value: Int64) { lhs = lhs - value }
/// Subtracts the expression `rhs` from the column `lhs` in an update, as in `$0.total -= $0.price`.
public func -= (lhs: inout SQLExpression<Int64>, rhs: SQLExpression<Int64>) { lhs = lhs - rhs }
/// Multiplies the column `lhs` by `value` in an update, as in `update(in: db) { $0.rating *= 2 }`.
public func *= (lhs: inout SQLExpression<Int64>, value: Int64) { lhs = lhs * value }
/// Multiplies the column `lhs` by the expression `rhs` in an update, as in `$0.price *= $0.count`.
public func *= (lhs: inout SQLExpression<Int64>, rhs: SQLExpression<Int64>) { lhs = lhs * rhs }
/// Divides the column `lhs` by `value` in an update, as in `update(in: db) { $0.rating /= 2 }`.
public func /= (lhs: inout SQLExpression<Int64>, value: Int64) { lhs = lhs / value }
/// Divides the column `lhs` by the expression `rhs` in an update, as in `$0.price /= $0.count`.
public func /= (lhs: inout SQLExpression<Int64>, rhs: SQLExpression<Int64>) { lhs = lhs / rhs }

/// Adds `value` to the column `lhs` in an update, as in `update(in: db) { $0.rating += 1 }`.
public func += (lhs: inout SQLExpression<Int32>, value: Int32) { lhs = lhs + value }
/// Adds the expression `rhs` to the column `lhs` in an update, as in `$0.total += $0.price`.
public func += (lhs: inout SQLExpression<Int32>, rhs: SQLExpression<Int32>) { lhs = lhs + rhs }
/// Subtracts `value` from the column `lhs` in an update, as in `update(in: db) { $0.rating -= 1 }`.
public func -= (lhs: inout SQLExpression<Int32>, value: Int32) { lhs = lhs - value }
/// Subtracts the expression `rhs` from the column `lhs` in an update, as in `$0.total -= $0.price`.
public func -= (lhs: inout SQLExpression<Int32>, rhs: SQLExpression<Int32>) { lhs = lhs - rhs }
/// Multiplies the column `lhs` by `value` in an update, as in `update(in: db) { $0.rating *= 2 }`.
public func *= (lhs: inout SQLExpression<Int32>, value: Int32) { lhs = lhs * value }
/// Multiplies the column `lhs` by the expression `rhs` in an update, as in `$0.price *= $0.count`.
public func *= (lhs: inout SQLExpression<Int32>, rhs: SQLExpression<Int32>) { lhs = lhs * rhs }
/// Divides the column `lhs` by `value` in an update, as in `update(in: db) { $0.rating /= 2 }`.
public func /= (lhs: inout SQLExpression<Int32>, value: Int32) { lhs = lhs / value }
/// Divides the column `lhs` by the expression `rhs` in an update, as in `$0.price /= $0.count`.
public func /= (lhs: inout SQLExpression<Int32>, rhs: SQLExpression<Int32>) { lhs = lhs / rhs }

/// Adds `value` to the column `lhs` in an update, as in `update(in: db) { $0.rating += 1 }`.
public func += (lhs: inout SQLExpression<Int16>, value: Int16) { lhs = lhs + value }
/// Adds the expression `rhs` to the column `lhs` in an update, as in `$0.total += $0.price`.
public func += (lhs: inout SQLExpression<Int16>, rhs: SQLExpression<Int16>) { lhs = lhs + rhs }
/// Subtracts `value` from the column `lhs` in an update, as in `update(in: db) { $0.rating -= 1 }`.
public func -= (lhs: inout SQLExpression<Int16>, value: Int16) { lhs = lhs - value }
/// Subtracts the expression `rhs` from the column `lhs` in an update, as in `$0.total -= $0.price`.
public func -= (lhs: inout SQLExpression<Int16>, rhs: SQLExpression<Int16>) { lhs = lhs - rhs }
/// Multiplies the column `lhs` by `value` in an update, as in `update(in: db) { $0.rating *= 2 }`.
public func *= (lhs: inout SQLExpression<Int16>, value: Int16) { lhs = lhs * value }
/// Multiplies the column `lhs` by the expression `rhs` in an update, as in `$0.price *= $0.count`.
public func *= (lhs: inout SQLExpression<Int16>, rhs: SQLExpression<Int16>) { lhs = lhs * rhs }
/// Divides the column `lhs` by `value` in an update, as in `update(in: db) { $0.rating /= 2 }`.
public func /= (lhs: inout SQLExpression<Int16>, value: Int16) { lhs = lhs / value }
/// Divides the column `lhs` by the expression `rhs` in an update, as in `$0.price /= $0.count`.
public func /= (lhs: inout SQLExpression<Int16>, rhs: SQLExpression<Int16>) { lhs = lhs / rhs }

/// Adds `value` to the column `lhs` in an update, as in `update(in: db) { $0.rating += 1 }`.
public func += (lhs: inout SQLExpression<Int8>, value: Int8) { lhs = lhs + value }
/// Adds the expression `rhs` to the column `lhs` in an update, as in `$0.total += $0.price`.
public func += (lhs: inout SQLExpression<Int8>, rhs: SQLExpression<Int8>) { lhs = lhs + rhs }
/// Subtracts `value` from the column `lhs` in an update, as in `update(in: db) { $0.rating -= 1 }`.
public func -= (lhs: inout SQLExpression<Int8>, value: Int8) { lhs = lhs - value }
/// Subtracts the expression `rhs` from the column `lhs` in an update, as in `$0.total -= $0.price`.
public func -= (lhs: inout SQLExpression<Int8>, rhs: SQLExpression<Int8>) { lhs = lhs - rhs }
/// Multiplies the column `lhs` by `value` in an update, as in `update(in: db) { $0.rating *= 2 }`.
public func *= (lhs: inout SQLExpression<Int8>, value: Int8) { lhs = lhs * value }
/// Multiplies the column `lhs` by the expression `rhs` in an update, as in `$0.price *= $0.count`.
public func *= (lhs: inout SQLExpression<Int8>, rhs: SQLExpression<Int8>) { lhs = lhs * rhs }
/// Divides the column `lhs` by `value` in an update, as in `update(in: db) { $0.rating /= 2 }`.
public func /= (lhs: inout SQLExpression<Int8>, value: Int8) { lhs = lhs / value }
/// Divides the column `lhs` by the expression `rhs` in an update, as in `$0.price /= $0.count`.
public func /= (lhs: inout SQLExpression<Int8>, rhs: SQLExpression<Int8>) { lhs = lhs / rhs }

/// Adds `value` to the column `lhs` in an update, as in `update(in: db) { $0.rating += 1 }`.
public func += (lhs: inout SQLExpression<UInt>, value: UInt) { lhs = lhs + value }
/// Adds the expression `rhs` to the column `lhs` in an update, as in `$0.total += $0.price`.
public func += (lhs: inout SQLExpression<UInt>, rhs: SQLExpression<UInt>) { lhs = lhs + rhs }
/// Subtracts `value` from the column `lhs` in an update, as in `update(in: db) { $0.rating -= 1 }`.
public func -= (lhs: inout SQLExpression<UInt>, value: UInt) { lhs = lhs - value }
/// Subtracts the expression `rhs` from the column `lhs` in an update, as in `$0.total -= $0.price`.
public func -= (lhs: inout SQLExpression<UInt>, rhs: SQLExpression<UInt>) { lhs = lhs - rhs }
/// Multiplies the column `lhs` by `value` in an update, as in `update(in: db) { $0.rating *= 2 }`.
public func *= (lhs: inout SQLExpression<UInt>, value: UInt) { lhs = lhs * value }
/// Multiplies the column `lhs` by the expression `rhs` in an update, as in `$0.price *= $0.count`.
public func *= (lhs: inout SQLExpression<UInt>, rhs: SQLExpression<UInt>) { lhs = lhs * rhs }
/// Divides the column `lhs` by `value` in an update, as in `update(in: db) { $0.rating /= 2 }`.
public func /= (lhs: inout SQLExpression<UInt>, value: UInt) { lhs = lhs / value }
/// Divides the column `lhs` by the expression `rhs` in an update, as in `$0.price /= $0.count`.
public func /= (lhs: inout SQLExpression<UInt>, rhs: SQLExpression<UInt>) { lhs = lhs / rhs }

/// Adds `value` to the column `lhs` in an update, as in `update(in: db) { $0.rating += 1 }`.
public func += (lhs: inout SQLExpression<UInt64>, value: UInt64) { lhs = lhs + value }
/// Adds the expression `rhs` to the column `lhs` in an update, as in `$0.total += $0.price`.
public func += (lhs: inout SQLExpression<UInt64>, rhs: SQLExpression<UInt64>) { lhs = lhs + rhs }
/// Subtracts `value` from the column `lhs` in an update, as in `update(in: db) { $0.rating -= 1 }`.
public func -= (lhs: inout SQLExpression<UInt64>, value: UInt64) { lhs = lhs - value }
/// Subtracts the expression `rhs` from the column `lhs` in an update, as in `$0.total -= $0.price`.
public func -= (lhs: inout SQLExpression<UInt64>, rhs: SQLExpression<UInt64>) { lhs = lhs - rhs }
/// Multiplies the column `lhs` by `value` in an update, as in `update(in: db) { $0.rating *= 2 }`.
public func *= (lhs: inout SQLExpression<UInt64>, value: UInt64) { lhs = lhs * value }
/// Multiplies the column `lhs` by the expression `rhs` in an update, as in `$0.price *= $0.count`.
public func *= (lhs: inout SQLExpression<UInt64>, rhs: SQLExpression<UInt64>) { lhs = lhs * rhs }
/// Divides the column `lhs` by `value` in an update, as in `update(in: db) { $0.rating /= 2 }`.
public func /= (lhs: inout SQLExpression<UInt64>, value: UInt64) { lhs = lhs / value }
/// Divides the column `lhs` by the expression `rhs` in an update, as in `$0.price /= $0.count`.
public func /= (lhs: inout SQLExpression<UInt64>, rhs: SQLExpression<UInt64>) { lhs = lhs / rhs }

/// Adds `value` to the column `lhs` in an update, as in `update(in: db) { $0.rating += 1 }`.
public func += (lhs: inout SQLExpression<UInt32>, value: UInt32) { lhs = lhs + value }
/// Adds the expression `rhs` to the column `lhs` in an update, as in `$0.total += $0.price`.
public func += (lhs: inout SQLExpression<UInt32>, rhs: SQLExpression<UInt32>) { lhs = lhs + rhs }
/// Subtracts `value` from the column `lhs` in an update, as in `update(in: db) { $0.rating -= 1 }`.
public func -= (lhs: inout SQLExpression<UInt32>, value: UInt32) { lhs = lhs - value }
/// Subtracts the expression `rhs` from the column `lhs` in an update, as in `$0.total -= $0.price`.
public func -= (lhs: inout SQLExpression<UInt32>, rhs: SQLExpression<UInt32>) { lhs = lhs - rhs }
/// Multiplies the column `lhs` by `value` in an update, as in `update(in: db) { $0.rating *= 2 }`.
public func *= (lhs: inout SQLExpression<UInt32>, value: UInt32) { lhs = lhs * value }
/// Multiplies the column `lhs` by the expression `rhs` in an update, as in `$0.price *= $0.count`.
public func *= (lhs: inout SQLExpression<UInt32>, rhs: SQLExpression<UInt32>) { lhs = lhs * rhs }
/// Divides the column `lhs` by `value` in an update, as in `update(in: db) { $0.rating /= 2 }`.
public func /= (lhs: inout SQLExpression<UInt32>, value: UInt32) { lhs = lhs / value }
/// Divides the column `lhs` by the expression `rhs` in an update, as in `$0.price /= $0.count`.
public func /= (lhs: inout SQLExpression<UInt32>, rhs: SQLExpression<UInt32>) { lhs = lhs / rhs }

/// Adds `value` to the column `lhs` in an update, as in `update(in: db) { $0.rating += 1 }`.
public func += (lhs: inout SQLExpression<UInt16>, value: UInt16) { lhs = lhs + value }
/// Adds the expression `rhs` to the column `lhs` in an update, as in `$0.total += $0.price`.
public func += (lhs: inout SQLExpression<UInt16>, rhs: SQLExpression<UInt16>) { lhs = lhs + rhs }
/// Subtracts `value` from the column `lhs` in an update, as in `update(in: db) { $0.rating -= 1 }`.
public func -= (lhs: inout SQLExpression<UInt16>, value: UInt16) { lhs = lhs - value }
/// Subtracts the expression `rhs` from the column `lhs` in an update, as in `$0.total -= $0.price`.
public func -= (lhs: inout SQLExpression<UInt16>, rhs: SQLExpression<UInt16>) { lhs = lhs - rhs }
/// Multiplies the column `lhs` by `value` in an update, as in `update(in: db) { $0.rating *= 2 }`.
public func *= (lhs: inout SQLExpression<UInt16>, value: UInt16) { lhs = lhs * value }
/// Multiplies the column `lhs` by the expression `rhs` in an update, as in `$0.price *= $0.count`.
public func *= (lhs: inout SQLExpression<UInt16>, rhs: SQLExpression<UInt16>) { lhs = lhs * rhs }
/// Divides the column `lhs` by `value` in an update, as in `update(in: db) { $0.rating /= 2 }`.
public func /= (lhs: inout SQLExpression<UInt16>, value: UInt16) { lhs = lhs / value }
/// Divides the column `lhs` by the expression `rhs` in an update, as in `$0.price /= $0.count`.
public func /= (lhs: inout SQLExpression<UInt16>, rhs: SQLExpression<UInt16>) { lhs = lhs / rhs }

/// Adds `value` to the column `lhs` in an update, as in `update(in: db) { $0.rating += 1 }`.
public func += (lhs: inout SQLExpression<UInt8>, value: UInt8) { lhs = lhs + value }
/// Adds the expression `rhs` to the column `lhs` in an update, as in `$0.total += $0.price`.
public func += (lhs: inout SQLExpression<UInt8>, rhs: SQLExpression<UInt8>) { lhs = lhs + rhs }
/// Subtracts `value` from the column `lhs` in an update, as in `update(in: db) { $0.rating -= 1 }`.
public func -= (lhs: inout SQLExpression<UInt8>, value: UInt8) { lhs = lhs - value }
/// Subtracts the expression `rhs` from the column `lhs` in an update, as in `$0.total -= $0.price`.
public func -= (lhs: inout SQLExpression<UInt8>, rhs: SQLExpression<UInt8>) { lhs = lhs - rhs }
/// Multiplies the column `lhs` by `value` in an update, as in `update(in: db) { $0.rating *= 2 }`.
public func *= (lhs: inout SQLExpression<UInt8>, value: UInt8) { lhs = lhs * value }
/// Multiplies the column `lhs` by the expression `rhs` in an update, as in `$0.price *= $0.count`.
public func *= (lhs: inout SQLExpression<UInt8>, rhs: SQLExpression<UInt8>) { lhs = lhs * rhs }
/// Divides the column `lhs` by `value` in an update, as in `update(in: db) { $0.rating /= 2 }`.
public func /= (lhs: inout SQLExpression<UInt8>, value: UInt8) { lhs = lhs / value }
/// Divides the column `lhs` by the expression `rhs` in an update, as in `$0.price /= $0.count`.
public func /= (lhs: inout SQLExpression<UInt8>, rhs: SQLExpression<UInt8>) { lhs = lhs / rhs }
