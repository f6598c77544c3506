import UndercroftCore

/// The constraints and indexes that are declared for a table as a whole.
struct TableConstraints: Sendable {
  /// The sets of columns in which no two rows are allowed to have the same values, other than NULL.
  var uniqueSets: [[String]] = []
  /// The declared foreign keys, except for the foreign keys that a column declares.
  var foreignKeys: [ForeignKey] = []
  /// The check constraints, as conditions in SQL.
  var checks: [String] = []
  /// The declared indexes, except for the indexes that a column declares.
  var indexes: [IndexDefinition] = []
  /// Whether SQLite checks the type of each value. (`STRICT`)
  var isStrict = false
  /// Whether the rows have a rowid.
  ///
  /// If `false`, the rows are stored in the order of their primary key. (`WITHOUT ROWID`)
  var hasRowID = true
  /// The full-text index, or `nil` if the table declares no full-text index.
  var fullText: FullTextDefinition?
  /// The error in the declaration, or `nil` if the declaration is valid.
  var failure: StorageError?
}
