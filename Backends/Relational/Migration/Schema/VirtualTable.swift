package import UndercroftSQLite

/// What `CREATE VIRTUAL TABLE` says about where the rows are.
package struct VirtualTable {
  /// The module in small letters, such as "fts5".
  package let module: String
  private let arguments: ArraySlice<SQLTokens.Token>

  /// - Returns: `nil` for anything but a virtual table.
  package init?(_ object: SchemaObject) {
    guard object.kind == .table, let sql = object.sql else { return nil }
    // The rest may be long.
    let tokens = SQLTokens.split(sql)
    guard tokens.count > 1, tokens[0].isWord("create"), tokens[1].isWord("virtual"),
      let using = tokens.firstIndex(where: { $0.isWord("using") }), tokens.count > using + 1
    else { return nil }
    module = tokens[using + 1].text
    arguments = tokens[(using + 2)...]
  }

  package enum Rows {
    /// In tables of its own.
    case own
    /// In another table, from which the index can be made anew.
    case elsewhere
    /// Nowhere: only the index is kept.
    case nowhere
    /// The module alone knows.
    case unknown
  }

  package var rows: Rows {
    switch module {
    case "fts3", "fts4", "fts5":
      guard let content = value(of: "content") else { return .own }
      return content.isEmpty ? .nowhere : .elsewhere
    case "rtree", "rtree_i32", "geopoly": return .own
    default: return .unknown
    }
  }

  var isFullText: Bool { module.hasPrefix("fts") }

  /// What stands behind `name =`, without quotes.
  private func value(of name: String) -> String? {
    for place in arguments.indices.dropLast(2)
    where arguments[place].isWord(name) && arguments[place + 1].isMark("=") {
      let text = arguments[place + 2].text
      return text.hasPrefix("'") ? String(text.dropFirst()) : text
    }
    return nil
  }
}
