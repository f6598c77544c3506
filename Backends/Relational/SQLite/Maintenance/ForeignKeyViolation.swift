/// A row that points to one which is not there.
public struct ForeignKeyViolation: Sendable, Hashable {
  /// The database of both tables: "main", or the name of an attached one.
  public let database: String
  /// The table of the row.
  public let table: String
  /// The row's key, or `nil` in a table `WITHOUT ROWID`.
  public let rowID: Int64?
  /// The table that it points into.
  public let parent: String
  /// Which of the table's foreign keys it is. (`id` of `PRAGMA foreign_key_list`)
  public let foreignKey: Int
}
