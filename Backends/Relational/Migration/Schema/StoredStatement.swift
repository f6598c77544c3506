import UndercroftCore
import UndercroftSQLite

/// A statement as the schema keeps it.
struct StoredStatement {
  private let sql: String
  private let object: SchemaObject
  private let pieces: [SQLPiece]

  init(_ sql: String, of object: SchemaObject) {
    self.sql = sql
    self.object = object
    pieces = SQLPiece.split(sql)
  }

  /// The text with its end, which a comment must not swallow.
  var ended: String {
    switch pieces.last {
    case let last? where last.kind == .lineComment && last.isOpen: sql + "\n;\n"
    case let last? where last.kind == .comment && last.isOpen: sql + "*/;\n"
    default: sql + ";\n"
    }
  }

  /// Throws when the text holds more than the statement that SQLite takes from it: somebody has written it there by hand.
  func check() throws(StorageError) {
    guard hasMore || sql.utf8.contains(0) else { return }
    throw StorageError(
      .corrupted,
      """
      cannot write the schema: what is kept for the \(object.kind.rawValue) \(quoted(object.name)) is more \
      than one statement
      """, cure: "do not trust this file; drop the \(object.kind.rawValue) and make it anew",
      backend: "sqlite")
  }

  private var hasMore: Bool {
    if pieces.contains(where: { $0.isOpen && ($0.kind == .text || $0.kind == .name) }) {
      return true
    }
    let said = pieces.filter { !$0.isBlank }
    for place in said.indices where said[place].isMark(";") {
      // Within a trigger they end its statements.
      guard object.kind == .trigger else { return true }
      if said.indices.contains(place + 2), said[place + 1].word == "end" { return true }
    }
    return false
  }
}
