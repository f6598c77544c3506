import UndercroftCore
import UndercroftSQLite

/// An FTS5 table whose texts are kept in another table: it says so in its own text, which SQLite does not bring in line.
struct FullTextTable {
  let name: String
  /// The table or view that has the texts.
  let content: String
  /// The names of its columns, as they are written.
  let columns: [String]
  let rowID: String?
  private let table: VirtualTable

  /// The table of a piece of the schema; `nil` for anything else.
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

  /// All that take their texts from `content`, or from anywhere.
  static func all(of content: String? = nil, in db: borrowing Connection) throws -> [FullTextTable]
  {
    try db.schema().compactMap(FullTextTable.init).filter {
      content == nil || $0.content.folded == content?.folded
    }
  }

  /// Whether it needs a column of the table that has its texts.
  func needs(_ column: String) -> Bool {
    (columns + [rowID].compactMap(\.self)).contains { $0.folded == column.folded }
  }

  /// The query by which it takes its texts.
  var query: String {
    let list = ([rowID ?? "rowid"] + columns).map(\.asName).joined(separator: ", ")
    return "SELECT \(list) FROM \(content.asName)"
  }

  // MARK: Texts for others

  /// The same for a table of another name.
  func taking(from content: String) -> String {
    guard let place = table.place(of: "content") else { return table.sql.text }
    return table.sql.replacing([(place, content.asText)])
  }

  /// The same when a column is called otherwise.
  func renaming(_ column: String, to other: String) -> String {
    var edits: [(places: Range<Int>, text: String)] = []
    for argument in table.arguments where !table.isOption(argument) {
      let first = argument.lowerBound
      if table.sql.tokens[first].name == column.folded {
        edits.append((first..<first + 1, other.asName))
      }
    }
    if rowID?.folded == column.folded, let place = table.place(of: "content_rowid") {
      edits.append((place, other.asText))
    }
    return table.sql.replacing(edits)
  }
}
