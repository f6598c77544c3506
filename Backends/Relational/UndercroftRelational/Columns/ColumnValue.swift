public import UndercroftFoundation
public import UndercroftSQLite

/// A type whose values a column of a declared table can store exactly.
///
/// An enum with raw values needs only the declaration of the conformance:
/// `enum Genre: String, ColumnValue { case novel, essay }`.
public protocol ColumnValue: SQLBindable, SQLReadable, Sendable {
  /// The type itself, or the wrapped type of an optional.
  associatedtype Unwrapped: ColumnValue = Self
  /// The declared type of a column that stores values of this type.
  static var columnType: ColumnType { get }
  /// Whether a column that stores values of this type accepts NULL.
  static var isOptional: Bool { get }
}

extension ColumnValue {
  public static var isOptional: Bool { false }
}

extension ColumnValue where Self: FixedWidthInteger {
  public static var columnType: ColumnType { .integer }
}

extension ColumnValue where Self: RawRepresentable, RawValue: ColumnValue {
  public static var columnType: ColumnType { RawValue.columnType }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
  /// The wrapped type, with all levels of `Optional` removed.
  public typealias Unwrapped = Wrapped.Unwrapped
  public static var columnType: ColumnType { Wrapped.columnType }
  public static var isOptional: Bool { true }
}

extension Int: ColumnValue {}
extension Int64: ColumnValue {}
extension Int32: ColumnValue {}
extension Int16: ColumnValue {}
extension Int8: ColumnValue {}
extension UInt: ColumnValue {}
extension UInt64: ColumnValue {}
extension UInt32: ColumnValue {}
extension UInt16: ColumnValue {}
extension UInt8: ColumnValue {}

extension Bool: ColumnValue {
  public static var columnType: ColumnType { .integer }
}

extension Double: ColumnValue {
  public static var columnType: ColumnType { .real }
}

extension Float: ColumnValue {
  public static var columnType: ColumnType { .real }
}

extension String: ColumnValue {
  public static var columnType: ColumnType { .text }
}

extension Data: ColumnValue {
  public static var columnType: ColumnType { .blob }
}

extension UUID: ColumnValue {
  public static var columnType: ColumnType { .blob }
}

extension Date: ColumnValue {
  public static var columnType: ColumnType { .text }
}

extension Decimal: ColumnValue {
  // A decimal number is stored as text, because SQLite would store a number in floating point,
  // which is not exact.
  public static var columnType: ColumnType { .text }
}

extension URL: ColumnValue {
  public static var columnType: ColumnType { .text }
}
