import UndercroftFoundation
import UndercroftSQLite

/// A binder that reads one property of a record in memory and binds the value of the property to a
/// statement.
///
/// The type is not generic over the record, so that iterating
/// over an array of binders needs no lookup of type metadata.
struct PropertyBinder: Sendable {
  typealias Bind =
    @Sendable (UnsafeRawPointer, borrowing Statement, _ position: Int) throws -> Void

  /// The type of the property: a common type that is bound
  /// directly, or `other` for a type that is bound by a closure.
  private enum Kind { case int64, int, real, bool, text, optionalText, optionalInt64, data, other }

  private let kind: Kind
  private let offset: Int
  private let other: Bind?

  init(_ bind: @escaping Bind) { (kind, offset, other) = (.other, 0, bind) }

  /// Creates a binder for a stored property of a common type.
  ///
  /// Returns `nil` if the type is not one of the common types.
  init?(of type: Any.Type, at offset: Int) {
    self.offset = offset
    other = nil
    switch type {
    case is Int64.Type: kind = .int64
    case is Int.Type: kind = .int
    case is Double.Type: kind = .real
    case is Bool.Type: kind = .bool
    case is String.Type: kind = .text
    case is String?.Type: kind = .optionalText
    case is Int64?.Type: kind = .optionalInt64
    case is Data.Type: kind = .data
    default: return nil
    }
  }

  /// Binds the properties of these columns to consecutive placeholders, starting at the first
  /// placeholder.
  ///
  /// - Parameters:
  ///   - columns: The indices into `binders` of the columns to bind.
  ///   - record: The address of the record.
  static func bind(
    _ columns: [Int], of record: UnsafeRawPointer, _ binders: [PropertyBinder],
    to statement: borrowing Statement
  ) throws {
    var position = 1
    for column in columns {
      try binders[column].bind(record, statement, position)
      position += 1
    }
  }

  @inline(__always)
  private func bind(
    _ record: UnsafeRawPointer, _ statement: borrowing Statement, _ position: Int
  ) throws {
    // The value is bound in place: loading the value would retain and release it.
    let address = record + offset
    switch kind {
    case .int64:
      try statement.bind(address.assumingMemoryBound(to: Int64.self).pointee, at: position)
    case .int: try statement.bind(address.assumingMemoryBound(to: Int.self).pointee, at: position)
    case .real:
      try statement.bind(address.assumingMemoryBound(to: Double.self).pointee, at: position)
    case .bool: try statement.bind(address.assumingMemoryBound(to: Bool.self).pointee, at: position)
    case .text:
      try statement.bind(address.assumingMemoryBound(to: String.self).pointee, at: position)
    case .optionalText:
      try statement.bind(address.assumingMemoryBound(to: String?.self).pointee, at: position)
    case .optionalInt64:
      try statement.bind(address.assumingMemoryBound(to: Int64?.self).pointee, at: position)
    case .data: try statement.bind(address.assumingMemoryBound(to: Data.self).pointee, at: position)
    case .other: try other?(record, statement, position)
    }
  }
}
