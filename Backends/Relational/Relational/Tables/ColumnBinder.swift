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
  /// Binds the property of the record that lies there.
  // It says nothing of the record's type: an array of these is gone through without a look at one.
  typealias Bind =
    @Sendable (UnsafeRawPointer, borrowing Statement, _ position: Int) throws -> Void

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
        let record = record.assumingMemoryBound(to: Record.self)
        let value = try record.pointee[keyPath: path].sqlValue()
        try statement.bind(value == .null ? fallback : value, at: position)
      }
    }
    guard let offset = MemoryLayout<Record>.offset(of: path) else {
      return { record, statement, position in
        let record = record.assumingMemoryBound(to: Record.self)
        try statement.bind(record.pointee[keyPath: path], at: position)
      }
    }
    return StoredBinder.bind(Value.self, at: offset) ?? { record, statement, position in
      try statement.bind(record.load(fromByteOffset: offset, as: Value.self), at: position)
    }
  }
}

/// Binds a stored property of a type that almost every column has: nothing is left to find out when it is run.
private enum StoredBinder {
  static func bind(
    _ type: Any.Type, at offset: Int
  ) -> (@Sendable (UnsafeRawPointer, borrowing Statement, Int) throws -> Void)? {
    switch type {
    case is Int64.Type: { try $1.bind($0.load(fromByteOffset: offset, as: Int64.self), at: $2) }
    case is Int.Type: { try $1.bind($0.load(fromByteOffset: offset, as: Int.self), at: $2) }
    case is Double.Type: { try $1.bind($0.load(fromByteOffset: offset, as: Double.self), at: $2) }
    case is Bool.Type: { try $1.bind($0.load(fromByteOffset: offset, as: Bool.self), at: $2) }
    case is String.Type: { try $1.bind($0.load(fromByteOffset: offset, as: String.self), at: $2) }
    case is String?.Type:
      { try $1.bind($0.load(fromByteOffset: offset, as: String?.self), at: $2) }
    case is Int64?.Type:
      { try $1.bind($0.load(fromByteOffset: offset, as: Int64?.self), at: $2) }
    case is Data.Type: { try $1.bind($0.load(fromByteOffset: offset, as: Data.self), at: $2) }
    default: nil
    }
  }
}
