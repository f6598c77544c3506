public import UndercroftCore

/// The type of `nil` where no other type is known, as in `statement.bind(nil, at: 1)`.
///
/// A value of this type is bound as NULL.
public struct SQLNull: Sendable, Hashable, ExpressibleByNilLiteral, SQLBindable {
  /// Creates the only value of the type.
  public init() {}

  /// Creates the value from the literal `nil`.
  public init(nilLiteral: ()) { self.init() }

  public func sqlValue() throws(StorageError) -> SQLValue { .null }
}
