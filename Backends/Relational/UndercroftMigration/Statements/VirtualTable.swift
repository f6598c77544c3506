import UndercroftCore
package import UndercroftSQLite

/// A `CREATE VIRTUAL TABLE` statement: its module, and the options that
/// determine where its rows are stored.
package struct VirtualTable {
  /// The name of the module in lower case, such as "fts5".
  package let module: String
  let sql: TokenizedSQL
  /// The token ranges of the module's arguments.
  let arguments: [Range<Int>]

  /// Parses the `CREATE VIRTUAL TABLE` statement of a schema object.
  ///
  /// - Returns: `nil` if the object is not a virtual table.
  package init?(_ object: SchemaObject) {
    guard object.kind == .table, let text = object.sql else { return nil }
    let sql = TokenizedSQL(text)
    let tokens = sql.tokens
    guard tokens.count > 1, tokens[0].isWord("create"), tokens[1].isWord("virtual"),
      let using = tokens.firstIndex(where: { $0.isWord("using") }), tokens.count > using + 1
    else { return nil }
    self.sql = sql
    module = tokens[using + 1].name.text
    let open = using + 2
    guard tokens.indices.contains(open), tokens[open].isPunctuation("("),
      let close = sql.closing(of: open)
    else {
      arguments = []
      return
    }
    arguments = sql.items(in: open + 1..<close)
  }

  /// The storage of the rows of a virtual table.
  package enum Rows {
    /// The rows are in the shadow tables of the virtual table.
    case internalContent
    /// The rows are in another table, and the index can be rebuilt from that table.
    case externalContent
    /// The rows are not stored: the table stores only an index.
    case contentless
    /// The storage of the rows depends on the module, which this type does not support.
    case unknown
  }

  package var rows: Rows {
    switch module {
    case "fts3", "fts4", "fts5":
      guard let content = value(of: "content") else { return .internalContent }
      return content.isEmpty ? .contentless : .externalContent
    case "rtree", "rtree_i32", "geopoly": return .internalContent
    default: return .unknown
    }
  }

  var isFullText: Bool { module.hasPrefix("fts") }

  // MARK: Arguments

  /// Returns whether an argument is an option of the form `name = value`, and not a column.
  func isOption(_ argument: Range<Int>) -> Bool {
    argument.count > 1 && sql.tokens[argument.lowerBound + 1].isPunctuation("=")
  }

  /// Returns the token range of the value of an option, or `nil` if the option is missing.
  func valueRange(of option: String) -> Range<Int>? {
    arguments.first { isOption($0) && sql.tokens[$0.lowerBound].name.text == option }
      .map { $0.lowerBound + 2..<$0.upperBound }
  }

  /// Returns the value of an option, without quotes, or `nil` if the option is missing.
  func value(of option: String) -> String? {
    valueRange(of: option).map { $0.isEmpty ? "" : sql.spelling(at: $0.lowerBound) }
  }
}
