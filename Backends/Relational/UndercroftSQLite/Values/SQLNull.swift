public import UndercroftCore

/// A type whose only value is bound as NULL.
///
/// The compiler uses this type for a `nil` without
/// another type, as in `statement.bind(nil, at: 1)`.
public struct SQLNull: Sendable, Hashable, ExpressibleByNilLiteral, SQLBindable {
  /// Creates the only value of the type.
  public init() {}

  /// Creates the value from the literal `nil`.
  public init(nilLiteral: ()) { self.init() }

  public func sqlValue() throws(StorageError) -> SQLValue { .null }
}
