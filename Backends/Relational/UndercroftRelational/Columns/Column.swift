import UndercroftSQLite

/// A column of a declared table, together with the property of the record that the column stores.
public struct Column<Record, Value: ColumnValue>: Sendable {
  let path: any KeyPath<Record, Value> & Sendable
  var definition: ColumnDefinition

  /// Creates a column that stores a property: `Column("title", \.title)`.
  ///
  /// The column is `NOT NULL` unless the property is optional. A column of a primary key is
  /// `NOT NULL` even if the property is optional. The exception is an optional
  /// `INTEGER PRIMARY KEY`, for which SQLite generates missing keys.
  public init(_ name: String, _ path: any KeyPath<Record, Value> & Sendable) {
    self.path = path
    definition = ColumnDefinition(name, Value.columnType, isOptional: Value.isOptional)
  }

  func with(_ change: (inout ColumnDefinition) -> Void) -> Self {
    var column = self
    change(&column.definition)
    return column
  }
}
