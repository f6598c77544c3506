import UndercroftSQLite

/// A column and the value it is set to: `$0.rating.set(to: $0.rating + 1)`.
public struct Assignment: Sendable {
  let column: SQL
  let value: SQL
  /// Whether the value is but one that is bound, and NULL.
  let isNil: Bool
  /// The tables that the value is read from.
  var tables: [TableDefinition] = []
}

extension SQLExpression where Value: ColumnValue {
  /// Sets the column to a value; `nil` is the default of a column that has one for that.
  public func set(to value: Value) -> Assignment {
    let value: SQL = "\(value)"
    return Assignment(
      column: sql, value: value, isNil: Value.isOptional && value.arguments == [.null])
  }

  /// Sets the column to what an expression has as its value.
  public func set(to value: SQLExpression<Value>) -> Assignment {
    Assignment(column: sql, value: value.sql, isNil: false, tables: value.tables)
  }
}

extension [Assignment] {
  /// Writes the list of an update's `SET`.
  func write(to sql: inout SQL, of table: TableDefinition) {
    for (place, assignment) in enumerated() {
      if place > 0 { sql += ", " }
      sql += assignment.column
      sql += " = "
      sql += assignment.isNil ? assignment.fallback(in: table) : assignment.value
    }
  }
}

extension Assignment {
  /// What stands for `nil` in its column.
  fileprivate func fallback(in table: TableDefinition) -> SQL {
    let column = table.columns.first(where: { SchemaText.quote($0.name) == self.column.text })
    return column?.fallback.map { "\($0)" } ?? value
  }
}
