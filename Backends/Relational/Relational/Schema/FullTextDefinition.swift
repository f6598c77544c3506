/// Which columns of a table are searched by words, and how their words are told apart.
struct FullTextDefinition: Sendable, Equatable {
  /// The FTS5 table beside the declared one.
  var companionName: String
  var columns: [String]
  /// The tokenizer and its arguments, as FTS5 takes them.
  var tokenizer: String

  /// How the one of a table is called.
  static func companionName(of table: String) -> String { "\(table)_search" }
}
