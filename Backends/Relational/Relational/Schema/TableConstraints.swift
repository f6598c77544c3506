import UndercroftCore

/// What is declared of a table as a whole, beside its columns.
struct TableConstraints: Sendable {
  /// The columns that together are not the same in any two rows.
  var uniqueSets: [[String]] = []
  /// References of several columns at once.
  var foreignKeys: [ForeignKey] = []
  /// Conditions on its rows, as SQL.
  var checks: [String] = []
  /// Indexes beside those that a column declares by itself.
  var indexes: [IndexDefinition] = []
  /// Whether SQLite checks the type of each value.
  var isStrict = false
  /// Whether its rows are kept by a number of SQLite's, and not by their key.
  var hasRowID = true
  /// What is searched by words.
  var fullText: FullTextDefinition?
  /// Why the declaration cannot be followed.
  var failure: StorageError?
}
