/// A row whose foreign key refers to a missing row.
public struct ForeignKeyViolation: Sendable, Hashable {
  /// The name of the database that contains the referencing and the referenced table: "main", or
  /// the name of an attached database.
  public let database: String
  /// The table that contains the row with the violated foreign key.
  public let table: String
  /// The rowid of the row, or `nil` in a table `WITHOUT ROWID`.
  public let rowID: Int64?
  /// The table that the foreign key refers to.
  public let parent: String
  /// The number of the violated foreign key in the list of the table's foreign keys. (`id` of
  /// `PRAGMA foreign_key_list`)
  public let foreignKey: Int
}
