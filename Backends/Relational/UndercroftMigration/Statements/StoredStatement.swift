import UndercroftCore
import UndercroftSQLite

/// A `CREATE` statement as `sqlite_schema` stores it.
struct StoredStatement {
  private let text: String
  private let object: SchemaObject
  private let sql: TokenizedSQL

  init(_ text: String, of object: SchemaObject) {
    (self.text, self.object) = (text, object)
    sql = TokenizedSQL(text)
  }

  /// Returns the statement with a terminating semicolon.
  ///
  /// If the statement ends with a comment, the comment is ended before the semicolon.
  ///
  /// - Throws: ``StorageError/Code/corrupted`` if the text contains more than one
  ///   statement, an unterminated quote or a NUL. SQLite never stores such a statement, so it
  ///   was written into the file directly.
  func ended() throws(StorageError) -> String {
    guard let ending = sql.ending, !hasMore, !text.utf8.contains(0) else {
      let problem =
        text.utf8.contains(0)
        ? "a NUL character"
        : sql.ending == nil ? "an unterminated quote" : "more than one statement"
      throw .schema(
        cannot: "export the \(object.kind.rawValue) \(quoted(object.name)) as an SQL statement",
        "the statement that the file stores contains \(problem), which SQLite never writes",
        // Dropping a table would delete its rows.
        suggestion: "restore a backup, because the file may have been tampered with"
          + (object.kind == .table ? "" : ", or drop and recreate the \(object.kind.rawValue)"),
        as: .corrupted)
    }
    return text + ending + "\n"
  }

  private var hasMore: Bool {
    sql.tokens.indices.contains { index in
      guard sql.tokens[index].isPunctuation(";") else { return false }
      // The semicolons inside a trigger end its statements.
      guard object.kind == .trigger, sql.tokens.indices.contains(index + 2) else {
        return object.kind != .trigger
      }
      return sql.tokens[index + 1].isWord("end")
    }
  }
}
