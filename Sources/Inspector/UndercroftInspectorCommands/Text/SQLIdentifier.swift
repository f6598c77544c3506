import UndercroftCore
import UndercroftInspection

/// Names of tables and columns as identifiers of SQL.
enum SQLIdentifier {
  /// Returns a name in quotation marks.
  static func quoted(_ name: String) -> String {
    "\"" + name.replacingScalars { $0 == "\"" ? "\"\"" : nil } + "\""
  }

  /// Returns the name that an identifier denotes, which may be in quotation marks.
  ///
  /// The identifier is read byte by byte, because a combining accent may follow a quotation mark.
  static func name(of identifier: String) -> String {
    let mark = UInt8(ascii: "\"")
    let bytes = Array(identifier.utf8)
    guard bytes.count > 1, bytes.first == mark, bytes.last == mark else { return identifier }
    let content = Array(bytes.dropFirst().dropLast())
    return String(decoding: content.replacing([mark, mark], with: [mark]), as: UTF8.self)
  }

  /// Returns a name in quotation marks, unless SQL reads the name as an identifier without them.
  static func shown(_ name: String) -> String {
    let isWord = name.unicodeScalars.allSatisfy { scalar in
      scalar == "_" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
    }
    guard isWord, let first = name.unicodeScalars.first, !("0"..."9").contains(first),
      !reservedWords.contains(ExactString(name.lowercased()))
    else { return quoted(name) }
    return name
  }

  /// The keywords that SQLite never reads as identifiers.
  private static let reservedWords: Set<ExactString> = [
    "add", "all", "alter", "and", "as", "autoincrement", "between", "case", "check", "collate",
    "commit", "constraint", "create", "default", "deferrable", "delete", "distinct", "drop", "else",
    "escape", "except", "exists", "foreign", "from", "group", "having", "in", "index", "insert",
    "intersect", "into", "is", "isnull", "join", "limit", "not", "nothing", "notnull", "null", "on",
    "or", "order", "primary", "references", "returning", "select", "set", "table", "then", "to",
    "transaction", "union", "unique", "update", "using", "values", "when", "where",
  ]
}
