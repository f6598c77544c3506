/// The declaration of a full-text index: the searchable columns of a table, and the tokenizer.
struct FullTextDefinition: Sendable, Equatable {
  /// The name of the FTS5 table.
  var companionName: String
  var columns: [String]
  /// The tokenizer and its arguments, in the syntax of FTS5.
  var tokenizer: String

  /// Returns the name of the FTS5 table for a declared table.
  static func companionName(of table: String) -> String { "\(table)_search" }
}
