import UndercroftSQLite

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Binds one property of a record that lies at an address.
///
/// It says nothing of the record's type: an array of these is gone through without a look at one.
struct PropertyBinder: Sendable {
  typealias Bind =
    @Sendable (UnsafeRawPointer, borrowing Statement, _ position: Int) throws -> Void

  /// A stored property of a type that almost every column has, of which nothing is left to find out; or any other.
  private enum Kind { case int64, int, real, bool, text, optionalText, optionalInt64, data, other }

  private let kind: Kind
  private let offset: Int
  private let other: Bind?

  init(_ bind: @escaping Bind) { (kind, offset, other) = (.other, 0, bind) }

  /// `nil` where there is nothing particular to the type.
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

  /// Binds properties of the record that lies there to the placeholders from the first on.
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
    // Where it lies: taken out, it would have to be retained.
    let place = record + offset
    switch kind {
    case .int64: try statement.bind(place.assumingMemoryBound(to: Int64.self).pointee, at: position)
    case .int: try statement.bind(place.assumingMemoryBound(to: Int.self).pointee, at: position)
    case .real: try statement.bind(place.assumingMemoryBound(to: Double.self).pointee, at: position)
    case .bool: try statement.bind(place.assumingMemoryBound(to: Bool.self).pointee, at: position)
    case .text: try statement.bind(place.assumingMemoryBound(to: String.self).pointee, at: position)
    case .optionalText:
      try statement.bind(place.assumingMemoryBound(to: String?.self).pointee, at: position)
    case .optionalInt64:
      try statement.bind(place.assumingMemoryBound(to: Int64?.self).pointee, at: position)
    case .data: try statement.bind(place.assumingMemoryBound(to: Data.self).pointee, at: position)
    case .other: try other?(record, statement, position)
    }
  }
}
