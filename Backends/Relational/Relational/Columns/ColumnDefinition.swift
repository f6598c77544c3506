import UndercroftCore
import UndercroftSQLite

/// What a column is declared to be, whatever the Swift type of its values.
struct ColumnDefinition: Sendable {
  var name: String
  var type: ColumnType
  var isOptional: Bool
  var isPrimaryKey = false
  /// Whether a key that was used is never given again. (`AUTOINCREMENT`)
  var isAutoincrementing = false
  var isUnique = false
  /// The default as SQL writes it.
  var defaultValue: SQLLiteral?
  /// The same, to be bound in place of `nil`.
  var fallback: SQLValue?
  var collation: String?
  /// A condition on its values, as SQL.
  var check: String?
  /// What it is computed from, as SQL.
  var generator: Generator?
  var isIndexed = false
  /// Why its declaration cannot be followed: a declaration cannot throw, so using the table does.
  var failure: StorageError?

  struct Generator: Sendable, Equatable {
    var expression: String
    var isStored: Bool
  }
}
