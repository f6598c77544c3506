import UndercroftSQLite

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Takes the value of one property out of a record and binds it.
///
/// A stored property is read where it lies (`MemoryLayout.offset(of:)`): many times as fast as through a key path.
struct ColumnBinder<Record>: Sendable {
  typealias Bind =
    @Sendable (UnsafePointer<Record>, borrowing Statement, _ position: Int) throws -> Void

  let bind: Bind
  /// Whether the property has no value.
  let isNil: @Sendable (Record) -> Bool
  /// The value of the property, as SQLite would keep it.
  let value: @Sendable (Record) throws -> SQLValue

  init<Value: ColumnValue>(_ column: Column<Record, Value>) {
    bind = Self.binder(of: column)
    let path = column.path
    value = { record in try record[keyPath: path].sqlValue() }
    isNil = { record in
      guard Value.isOptional, let value = try? record[keyPath: path].sqlValue() else {
        return false
      }
      return value == .null
    }
  }

  private static func binder<Value: ColumnValue>(of column: Column<Record, Value>) -> Bind {
    let path = column.path
    if let fallback = column.definition.fallback, Value.isOptional {
      return { record, statement, position in
        let value = try record.pointee[keyPath: path].sqlValue()
        try statement.bind(value == .null ? fallback : value, at: position)
      }
    }
    guard let offset = MemoryLayout<Record>.offset(of: path) else {
      return { record, statement, position in
        try statement.bind(record.pointee[keyPath: path], at: position)
      }
    }
    // For the types that almost every column has nothing is left to find out when it is run.
    switch Value.self {
    case is Int64.Type: return stored(at: offset, as: Int64.self) { try $1.bind($0, at: $2) }
    case is Int.Type: return stored(at: offset, as: Int.self) { try $1.bind($0, at: $2) }
    case is Double.Type: return stored(at: offset, as: Double.self) { try $1.bind($0, at: $2) }
    case is Bool.Type: return stored(at: offset, as: Bool.self) { try $1.bind($0, at: $2) }
    case is String.Type: return stored(at: offset, as: String.self) { try $1.bind($0, at: $2) }
    case is String?.Type: return stored(at: offset, as: String?.self) { try $1.bind($0, at: $2) }
    case is Data.Type: return stored(at: offset, as: Data.self) { try $1.bind($0, at: $2) }
    default:
      return stored(at: offset, as: Value.self) { value, statement, position in
        try statement.bind(value, at: position)
      }
    }
  }

  @inline(__always)
  private static func stored<Value>(
    at offset: Int, as type: Value.Type,
    _ bind: @escaping @Sendable (Value, borrowing Statement, Int) throws -> Void
  ) -> Bind {
    { record, statement, position in
      let value = UnsafeRawPointer(record).load(fromByteOffset: offset, as: Value.self)
      try bind(value, statement, position)
    }
  }
}
