import UndercroftSQLite

/// An assignment of a value to one column of a table.
struct Assignment: Sendable {
  /// The index of the column in the declaration of the table.
  let columnIndex: Int
  let value: AssignedValue
  /// The tables that are read by subqueries of the assigned expression.
  var tables: [TableDefinition] = []
}

/// The value that a column is set to.
enum AssignedValue: Sendable {
  /// A plain value.
  ///
  /// `isNil` is true for a `nil` optional. If `isNil` is true and the column has a default that
  /// replaces `nil`, the default is written.
  case bound(SQLValue, isNil: Bool)
  case computed(SQL)
}

extension Assignment {
  /// Returns the value to bind, or `nil` if the assigned value is an expression in SQL.
  ///
  /// For a `nil` optional, the value is the default of the column if the default replaces `nil`.
  func bound(in table: TableDefinition) -> SQLValue? {
    guard case .bound(let value, let isNil) = value else { return nil }
    return isNil ? table.columns[columnIndex].fallback ?? value : value
  }

  /// The assigned expression in SQL, or `nil` for a plain value.
  var computed: SQL? { if case .computed(let sql) = value { sql } else { nil } }
}

extension [Assignment] {
  /// Appends the assignments to an `UPDATE` statement, in the syntax of `SET`.
  func write(to sql: inout SQL, of table: TableDefinition) {
    for (position, assignment) in enumerated() {
      if position > 0 { sql += ", " }
      sql += SQL(unchecked: DMLBuilder.names([assignment.columnIndex], of: table))
      sql += " = "
      switch assignment.value {
      case .bound: sql += "\(assignment.bound(in: table) ?? .null)"
      case .computed(let value): sql += value
      }
    }
  }
}
