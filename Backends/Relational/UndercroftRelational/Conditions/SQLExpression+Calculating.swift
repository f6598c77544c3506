import UndercroftSQLite

/// A column value that SQLite can calculate with: a number, or an optional number.
public protocol NumberValue: ColumnValue {}

extension Int: NumberValue {}
extension Int64: NumberValue {}
extension Int32: NumberValue {}
extension Int16: NumberValue {}
extension Int8: NumberValue {}
extension UInt: NumberValue {}
extension UInt64: NumberValue {}
extension UInt32: NumberValue {}
extension UInt16: NumberValue {}
extension UInt8: NumberValue {}
extension Double: NumberValue {}
extension Float: NumberValue {}
extension Optional: NumberValue where Wrapped: NumberValue {}

// A calculation with NULL results in NULL, and so does a division by
// zero. A result of integers that does not fit into 64 bits becomes
// a floating-point number, which cannot be read as an integer.

extension SQLExpression where Value: NumberValue {
  /// Returns an expression for the sum of the expression `lhs` and a value.
  public static func + (lhs: Self, value: Value) -> Self { lhs.joined("+", "\(value)") }
  /// Returns an expression for the difference of the expression `lhs` and a value.
  public static func - (lhs: Self, value: Value) -> Self { lhs.joined("-", "\(value)") }
  /// Returns an expression for the product of the expression `lhs` and a value.
  public static func * (lhs: Self, value: Value) -> Self { lhs.joined("*", "\(value)") }
  /// Returns an expression for the quotient of the expression `lhs` and a value.
  ///
  /// The quotient of two integers is truncated towards zero. A division by zero results in NULL.
  public static func / (lhs: Self, value: Value) -> Self { lhs.joined("/", "\(value)") }

  /// Returns an expression for the sum of a value and the expression `rhs`.
  public static func + (value: Value, rhs: Self) -> Self { Self(value: value) + rhs }
  /// Returns an expression for the difference of a value and the expression `rhs`.
  public static func - (value: Value, rhs: Self) -> Self { Self(value: value) - rhs }
  /// Returns an expression for the product of a value and the expression `rhs`.
  public static func * (value: Value, rhs: Self) -> Self { Self(value: value) * rhs }
  /// Returns an expression for the quotient of a value and the expression `rhs`.
  ///
  /// The quotient of two integers is truncated towards zero. A division by zero results in NULL.
  public static func / (value: Value, rhs: Self) -> Self { Self(value: value) / rhs }

  /// Returns an expression for the sum of two expressions.
  public static func + (lhs: Self, rhs: Self) -> Self { lhs.joined("+", rhs) }
  /// Returns an expression for the difference of two expressions.
  public static func - (lhs: Self, rhs: Self) -> Self { lhs.joined("-", rhs) }
  /// Returns an expression for the product of two expressions.
  public static func * (lhs: Self, rhs: Self) -> Self { lhs.joined("*", rhs) }
  /// Returns an expression for the quotient of two expressions.
  ///
  /// The quotient of two integers is truncated towards zero. A division by zero results in NULL.
  public static func / (lhs: Self, rhs: Self) -> Self { lhs.joined("/", rhs) }
}

extension SQLExpression where Value: ColumnValue {
  /// Creates an expression of a value that is bound to the statement.
  ///
  /// The label distinguishes a text from SQL: `SQLExpression<String>("upper(title)")` is SQL.
  public init(value: Value) { self.init("\(value)", .atom) }

  /// This expression, typed as optional: `$0.note.coalesce($0.title.asOptional)`.
  public var asOptional: SQLExpression<Value?> { typed() }

  /// Returns an expression that has the value of this expression, or `value` if this expression is
  /// NULL. (`coalesce`)
  public func coalesce(_ value: Value.Unwrapped) -> SQLExpression<Value.Unwrapped> {
    call("coalesce", "\(value)")
  }

  /// Returns an expression that has the value of this expression, or the value of `other` if this
  /// expression is NULL. (`coalesce`)
  public func coalesce(_ other: Self) -> Self {
    SQLExpression(
      "coalesce(\(sql), \(other.sql))", .atom, reading: tables + other.tables)
  }
}
