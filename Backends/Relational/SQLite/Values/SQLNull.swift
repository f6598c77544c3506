public import UndercroftCore

/// The absence of a value where its type does not matter: what `nil` is in `statement.bind(nil, at: 1)`.
public struct SQLNull: Sendable, Hashable, ExpressibleByNilLiteral, SQLBindable {
  /// Makes the only one there is.
  public init() {}

  /// Makes the same of the literal `nil`.
  public init(nilLiteral: ()) { self.init() }

  public func sqlValue() throws(StorageError) -> SQLValue { .null }
}
