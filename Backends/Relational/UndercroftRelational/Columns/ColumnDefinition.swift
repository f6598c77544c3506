import UndercroftCore
import UndercroftSQLite

/// The declaration of a column, independent of the Swift type of its values.
public struct ColumnDefinition: Sendable {
  /// The name of the column in the schema.
  public var name: String
  /// The declared type of the column, which determines how SQLite stores its values.
  public var type: ColumnType
  /// Whether the column accepts NULL.
  public var isOptional: Bool
  /// Whether the column is the primary key, or a part of a composite primary key.
  public var isPrimaryKey = false
  /// Whether SQLite never reuses the key of a deleted row. (`AUTOINCREMENT`)
  public var isAutoincrementing = false
  /// Whether the column is unique: no two rows may have the same value in this column, except NULL.
  public var isUnique = false
  /// Whether the table declares an index on this column.
  public var isIndexed = false
  /// The collation that compares and sorts the text of this column, such as `NOCASE`, or `nil` for
  /// the default collation.
  public var collation: String?
  /// The default value as a literal in SQL, or `nil` if the column has no default.
  var defaultValue: SQLLiteral?
  /// The default value that is written if the property is `nil`, or `nil` to write NULL.
  var fallback: SQLValue?
  /// The check constraints of the column, as conditions in SQL.
  var checks: [String] = []
  /// The expression that computes the column, or `nil` for a stored column.
  var generator: Generator?
  /// The foreign key of the column, or `nil` if the column refers to no table.
  var foreignKey: ForeignKey?
  /// The error in the declaration, or `nil` if the declaration is valid.
  ///
  /// The methods that declare a column do not throw. Using the table throws this error.
  var failure: StorageError?

  struct Generator: Sendable, Equatable {
    var expression: String
    var isStored: Bool
  }

  /// Creates the declaration of a column with the given name and declared type.
  ///
  /// The column is `NOT NULL` unless `isOptional` is `true`. A column of a primary key is
  /// `NOT NULL` even if `isOptional` is `true`. The exception is an optional
  /// `INTEGER PRIMARY KEY`, for which SQLite generates missing keys.
  public init(_ name: String, _ type: ColumnType, isOptional: Bool = false) {
    (self.name, self.type, self.isOptional) = (name, type, isOptional)
  }
}
