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
  private let sql: SQLText
  private let items: [Range<Int>]

  /// The table of a piece of the schema; `nil` for anything else.
  init?(_ object: SchemaObject) {
    guard object.kind == .table, let text = object.sql else { return nil }
    let sql = SQLText(text)
    let tokens = sql.tokens
    guard tokens.count > 2, tokens[1].isWord("virtual"),
      let using = tokens.firstIndex(where: { $0.isWord("using") }),
      tokens.indices.contains(using + 2), tokens[using + 1].name == "fts5",
      tokens[using + 2].isMark("("), let close = sql.closing(of: using + 2)
    else { return nil }
    let items = sql.items(in: using + 3..<close)
    func value(of option: String) -> String? {
      Self.value(of: option, in: sql, items).map { TableText.spelling(sql.text(of: $0)) }
    }
    guard let content = value(of: "content"), !content.isEmpty else { return nil }
    name = object.name
    self.content = content
    rowID = value(of: "content_rowid")
    columns = items.filter { !Self.isOption($0, in: sql) }
      .map { TableText.spelling(sql.text(of: $0.lowerBound..<$0.lowerBound + 1)) }
    (self.sql, self.items) = (sql, items)
  }

  /// All that take their texts from `content`, or from anywhere.
  static func all(of content: String? = nil, in db: borrowing Connection) throws -> [FullTextTable]
  {
    try db.schema().compactMap(FullTextTable.init).filter {
      content == nil || $0.content.folded == content?.folded
    }
  }

  private static func isOption(_ item: Range<Int>, in sql: SQLText) -> Bool {
    item.count > 1 && sql.tokens[item.lowerBound + 1].isMark("=")
  }

  private static func value(
    of option: String, in sql: SQLText, _ items: [Range<Int>]
  ) -> Range<Int>? {
    items.first { isOption($0, in: sql) && sql.tokens[$0.lowerBound].name == option }
      .map { $0.lowerBound + 2..<$0.upperBound }
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
    guard let place = Self.value(of: "content", in: sql, items) else { return all }
    return sql.replacing([(place, content.asText)])
  }

  /// The same when a column is called otherwise.
  func renaming(_ column: String, to other: String) -> String {
    var edits: [(places: Range<Int>, text: String)] = []
    for item in items where !Self.isOption(item, in: sql) {
      if sql.tokens[item.lowerBound].name == column.folded {
        edits.append((item.lowerBound..<item.lowerBound + 1, other.asName))
      }
    }
    if rowID?.folded == column.folded,
      let place = Self.value(of: "content_rowid", in: sql, items)
    {
      edits.append((place, other.asText))
    }
    return sql.replacing(edits)
  }

  private var all: String { sql.replacing([]) }
}
