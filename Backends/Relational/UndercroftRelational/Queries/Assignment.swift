import UndercroftCore
import UndercroftSQLite

/// An assignment of a value to a column: `$0.rating.set(to: $0.rating + 1)`.
public struct Assignment: Sendable {
  let column: SQL
  let value: AssignedValue
  /// The tables that the expression of the value reads.
  var tables: [TableDefinition] = []
}

/// The value that a column is set to.
enum AssignedValue: Sendable {
  /// A plain value.
  ///
  /// `isNil` is true for a `nil` optional, which the default of the column may replace.
  case bound(SQLValue, isNil: Bool)
  case computed(SQL)
}

extension SQLExpression where Value: ColumnValue {
  /// Returns an assignment of a value to the column.
  ///
  /// If the column has a default that replaces `nil`, `nil` sets the default.
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

  /// Returns an assignment of the result of an expression to the column.
  public func set(to value: SQLExpression<Value>) -> Assignment {
    Assignment(column: sql, value: .computed(value.sql), tables: value.tables)
  }
}

extension [Assignment] {
  /// Appends the assignments of the `SET` clause of an update to a statement.
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
  /// Returns the value to bind, or `nil` if the value is computed.
  func bound(in table: TableDefinition) -> SQLValue? {
    guard case .bound(let value, let isNil) = value else { return nil }
    return isNil ? fallback(in: table) ?? value : value
  }

  /// Returns the default that replaces `nil` in the column, or `nil` if there is none.
  private func fallback(in table: TableDefinition) -> SQLValue? {
    table.columns.first { $0.name.quotedIdentifier.isExactly(column.text) }?.fallback
  }

  /// Whether the value is bound and the column is a plain name,
  /// so that the statement can be cached.
  var isPlain: Bool {
    guard case .bound = value else { return false }
    return column.arguments.isEmpty && !column.isFailing
  }
}
