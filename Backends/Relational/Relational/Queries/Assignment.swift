import UndercroftCore
import UndercroftSQLite

/// A column and the value it is set to: `$0.rating.set(to: $0.rating + 1)`.
public struct Assignment: Sendable {
  let column: SQL
  let value: AssignedValue
  /// The tables that the value is read from.
  var tables: [TableDefinition] = []
}

/// What a column is set to.
enum AssignedValue: Sendable {
  /// A value by itself; whether it stands for the default of a column that has one for `nil`.
  case bound(SQLValue, isNil: Bool)
  case computed(SQL)
}

extension SQLExpression where Value: ColumnValue {
  /// Sets the column to a value; `nil` is the default of a column that has one for that.
  public func set(to value: Value) -> Assignment {
    do throws(StorageError) {
      let value = try value.sqlValue()
      var isNil = false
      if case .null = value { isNil = Value.isOptional }
      return Assignment(column: sql, value: .bound(value, isNil: isNil))
    } catch {
      return Assignment(column: sql, value: .computed(SQL(failing: error)))
    }
  }

  /// Sets the column to what an expression has as its value.
  public func set(to value: SQLExpression<Value>) -> Assignment {
    Assignment(column: sql, value: .computed(value.sql), tables: value.tables)
  }
}

extension [Assignment] {
  /// Writes the list of an update's `SET`.
  func write(to sql: inout SQL, of table: TableDefinition) {
    for (place, assignment) in enumerated() {
      if place > 0 { sql += ", " }
      sql += assignment.column
      sql += " = "
      switch assignment.value {
      case .bound: sql += "\(assignment.bound(in: table) ?? .null)"
      case .computed(let value): sql += value
      }
    }
  }
}

extension Assignment {
  /// The value that is bound, or `nil` where it is computed.
  func bound(in table: TableDefinition) -> SQLValue? {
    guard case .bound(let value, let isNil) = value else { return nil }
    return isNil ? fallback(in: table) ?? value : value
  }

  /// What stands for `nil` in its column.
  private func fallback(in table: TableDefinition) -> SQLValue? {
    table.columns.first { $0.name.asName.isExactly(column.text) }?.fallback
  }

  /// Whether it needs nothing but its column's name, and a value that is bound.
  var isPlain: Bool {
    guard case .bound = value else { return false }
    return column.arguments.isEmpty && !column.isFailing
  }
}
