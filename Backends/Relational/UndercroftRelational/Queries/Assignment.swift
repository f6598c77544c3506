import UndercroftSQLite

/// An assignment of a value to one column of a table.
struct Assignment: Sendable {
  /// The index of the column in the declaration.
  let columnIndex: Int
  let value: AssignedValue
  /// The tables that subqueries in the expression of the value read.
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

extension Assignment {
  /// Returns the value to bind, or `nil` if the value is computed.
  func bound(in table: TableDefinition) -> SQLValue? {
    guard case .bound(let value, let isNil) = value else { return nil }
    return isNil ? table.columns[columnIndex].fallback ?? value : value
  }

  /// The expression of the value, or `nil` for a plain value.
  var computed: SQL? { if case .computed(let sql) = value { sql } else { nil } }
}

extension [Assignment] {
  /// Appends the assignments of the `SET` clause of an update to a statement.
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
