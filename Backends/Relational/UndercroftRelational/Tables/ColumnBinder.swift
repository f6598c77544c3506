import UndercroftCore
import UndercroftFoundation
import UndercroftSQLite

/// The closures that read one property of a record, and bind the value of the property to a
/// statement.
///
/// A stored property is read directly from memory (`MemoryLayout.offset(of:)`), which is many
/// times faster than reading through a key path.
struct ColumnBinder<Record>: Sendable {
  let bind: PropertyBinder
  /// The offset of the property in bytes within the record, or `nil` for a computed property.
  let offset: Int?
  /// The closure that returns whether the property of a record is `nil`.
  let isNil: @Sendable (Record) -> Bool
  /// The closure that returns the value of the property as SQLite stores it.
  let value: @Sendable (Record) throws -> SQLValue

  init<Value: ColumnValue>(_ column: Column<Record, Value>) {
    bind = Self.binder(of: column)
    let (path, name) = (column.path, column.definition.name)
    offset = MemoryLayout<Record>.offset(of: path)
    value = { record in
      do throws(StorageError) { return try record[keyPath: path].sqlValue() } catch {
        throw error.naming(column: name, of: Record.self)
      }
    }
    isNil = { record in
      guard Value.isOptional, let value = try? record[keyPath: path].sqlValue() else {
        return false
      }
      return value == .null
    }
  }

  private static func binder<Value: ColumnValue>(of column: Column<Record, Value>) -> PropertyBinder
  {
    let (path, name) = (column.path, column.definition.name)
    if let fallback = column.definition.fallback, Value.isOptional {
      return PropertyBinder { record, statement, position in
        let record = record.assumingMemoryBound(to: Record.self)
        do throws(StorageError) {
          let value = try record.pointee[keyPath: path].sqlValue()
          try statement.bind(value == .null ? fallback : value, at: position)
        } catch {
          throw error.naming(column: name, of: Record.self)
        }
      }
    }
    guard let offset = MemoryLayout<Record>.offset(of: path) else {
      return PropertyBinder { record, statement, position in
        let record = record.assumingMemoryBound(to: Record.self)
        do throws(StorageError) {
          try statement.bind(record.pointee[keyPath: path], at: position)
        } catch {
          throw error.naming(column: name, of: Record.self)
        }
      }
    }
    return PropertyBinder(of: Value.self, at: offset)
      ?? PropertyBinder { record, statement, position in
        do throws(StorageError) {
          try statement.bind(record.load(fromByteOffset: offset, as: Value.self), at: position)
        } catch {
          throw error.naming(column: name, of: Record.self)
        }
      }
  }
}
