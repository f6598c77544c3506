import UndercroftCore
import UndercroftSQLite

/// What a column is declared to be, whatever the Swift type of its values.
public struct ColumnDefinition: Sendable {
  /// The name in the schema.
  public var name: String
  /// How SQLite keeps its values.
  public var type: ColumnType
  /// Whether it may be NULL.
  public var isOptional: Bool
  /// Whether it is the primary key, or a part of it.
  public var isPrimaryKey = false
  /// Whether a key that was used is never given again. (`AUTOINCREMENT`)
  public var isAutoincrementing = false
  /// Whether no two rows have the same value.
  public var isUnique = false
  /// Whether an index of it is kept.
  public var isIndexed = false
  /// How its texts are compared and sorted, such as `NOCASE`.
  public var collation: String?
  /// The default as SQL writes it.
  var defaultValue: SQLLiteral?
  /// The same, to be bound in place of `nil`.
  var fallback: SQLValue?
  /// Conditions on its values, as SQL.
  var checks: [String] = []
  /// What it is computed from, as SQL.
  var generator: Generator?
  /// What it refers to.
  var foreignKey: ForeignKey?
  /// Why its declaration cannot be followed: a declaration cannot throw, so using the table does.
  var failure: StorageError?

  struct Generator: Sendable, Equatable {
    var expression: String
    var isStored: Bool
  }

  /// Declares a column, `NOT NULL` unless it is optional.
  public init(_ name: String, _ type: ColumnType, isOptional: Bool = false) {
    (self.name, self.type, self.isOptional) = (name, type, isOptional)
  }
}
