import UndercroftCore
import UndercroftSQLite

/// An FTS5 table whose text is stored in another table (an external content table).
///
/// The statement of such a table contains the names of the other table and its columns, and SQLite
/// does not update the statement when one of them is renamed.
struct FullTextTable {
  let name: String
  /// The table or view whose text is indexed.
  let content: String
  /// The names of the columns, as they are written in the statement.
  let columns: [String]
  let rowID: String?
  private let table: VirtualTable

  /// Parses the `CREATE VIRTUAL TABLE` statement of an FTS5 table with an external content table.
  ///
  /// Returns `nil` for every other schema object.
  init?(_ object: SchemaObject) {
    guard let table = VirtualTable(object), table.module == "fts5",
      let content = table.value(of: "content"), !content.isEmpty
    else { return nil }
    name = object.name
    self.content = content
    rowID = table.value(of: "content_rowid")
    columns = table.arguments.filter { !table.isOption($0) }
      .map { table.sql.spelling(at: $0.lowerBound) }
    self.table = table
  }

  /// Returns all full-text tables whose text is in `content`, or in any table for `nil`.
  static func all(of content: String? = nil, in db: Connection) throws -> [FullTextTable] {
    try db.schema().compactMap(FullTextTable.init).filter {
      content == nil || $0.content.folded == content?.folded
    }
  }

  /// Returns whether the full-text table reads `column` of its content table, as indexed text or as
  /// the rowid.
  func needs(_ column: String) -> Bool {
    (columns + [rowID].compactMap(\.self)).contains { $0.folded == column.folded }
  }

  /// The query that the full-text table uses to read its text.
  var query: String {
    let list = ([rowID ?? "rowid"] + columns).map(\.quotedIdentifier).joined(separator: ", ")
    return "SELECT \(list) FROM \(content.quotedIdentifier)"
  }

  // MARK: Changed statements

  /// Returns the statement of this full-text table with another content table.
  func reading(from content: String) -> String {
    guard let range = table.valueRange(of: "content") else { return table.sql.text }
    return table.sql.replacing([(range, content.quotedLiteral)])
  }

  /// Returns the statement of this full-text table with a renamed column.
  func renaming(_ column: String, to other: String) -> String {
    var edits: [(range: Range<Int>, text: String)] = []
    for argument in table.arguments where !table.isOption(argument) {
      let first = argument.lowerBound
      if table.sql.tokens[first].name == column.folded {
        edits.append((first..<first + 1, other.quotedIdentifier))
      }
    }
    if rowID?.folded == column.folded, let range = table.valueRange(of: "content_rowid") {
      edits.append((range, other.quotedLiteral))
    }
    return table.sql.replacing(edits)
  }
}
