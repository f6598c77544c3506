import UndercroftCore
import UndercroftSQLite

/// One column of a declared table, and the property that it is kept from.
public struct Column<Record, Value: ColumnValue>: Sendable {
  let path: any KeyPath<Record, Value> & Sendable
  var definition: ColumnDefinition

  /// Declares a column: `Column("title", \.title)`.
  ///
  /// It is `NOT NULL` unless the property is optional.
  public init(_ name: String, _ path: any KeyPath<Record, Value> & Sendable) {
    self.path = path
    definition = ColumnDefinition(name: name, type: Value.columnType, isOptional: Value.isOptional)
  }

  /// Reads its value from the next place of a row.
  func read(_ row: borrowing Row, _ position: inout Int) throws(StorageError) -> Value {
    position += 1
    return try row[position]
  }

  func with(_ change: (inout ColumnDefinition) -> Void) -> Self {
    var column = self
    change(&column.definition)
    return column
  }

  /// Makes it the primary key, or a part of it where several columns say so; an optional integer is given by SQLite at insertion.
  ///
  /// - Parameter isAutoincrementing: whether a key that was used is never given again.
  public func primaryKey(isAutoincrementing: Bool = false) -> Self {
    with {
      $0.isPrimaryKey = true
      $0.isAutoincrementing = isAutoincrementing
    }
  }

  /// Lets no two rows have the same value.
  public func unique() -> Self { with { $0.isUnique = true } }

  /// Keeps an index of it.
  public func indexed() -> Self { with { $0.isIndexed = true } }

  /// Compares and sorts its texts by this collation, such as `NOCASE`.
  public func collated(_ name: String) -> Self { with { $0.collation = name } }
}
