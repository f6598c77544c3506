public import UndercroftCore
public import UndercroftSQLite

/// An error that reports which record of a batch was rejected.
public struct BatchElementError: Error, CustomStringConvertible {
  /// The position of the rejected record in the batch, starting at 0.
  public let index: Int
  /// The error that was thrown for the record.
  public let underlying: any Error

  public var description: String {
    "cannot write element \(index) of the batch, counted from 0: \(underlying)"
  }
}

extension BatchElementError: WrappingError {
  package var wrappedError: (any Error)? { underlying }
}

extension BatchElementError {
  /// The SQLite error that rejected the record, or `nil` if another component rejected it.
  public var sqliteError: SQLiteError? { SQLiteError(causeOf: underlying) }

  /// The constraint that the record violates, or `nil` if the record violates no constraint.
  public var constraint: StorageError.Constraint? { sqliteError?.constraint }

  /// Calls `body` with each element, in order.
  ///
  /// If `body` throws, the error is wrapped in a ``BatchElementError`` with the index of the
  /// element.
  static func forEach<Element>(
    _ elements: some Sequence<Element>, _ body: (Element) throws -> Void
  ) throws {
    for (index, element) in elements.enumerated() {
      do { try body(element) } catch { throw BatchElementError(index: index, underlying: error) }
    }
  }
}
