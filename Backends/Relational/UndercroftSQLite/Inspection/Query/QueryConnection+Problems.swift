import UndercroftCore
import UndercroftInspection

extension QueryConnection {
  /// Returns the error for a statement that SQLite refuses or cannot finish.
  ///
  /// - Parameters:
  ///   - error: the error of SQLite.
  ///   - sql: the statement.
  ///   - offset: the position of the error in `sql` in bytes, or `nil` if it is unknown.
  func problem(_ error: SQLiteError, in sql: String, at offset: Int?) -> StorageError {
    if error.code.primary == .interrupted, deadline.isReached { return deadline.error }
    // A refused function has the general code and the message "not authorized to use function".
    if error.message.hasPrefix("not authorized"), let refusal = authorizer?.refusal {
      return refusal.error
    }
    // A virtual table without `xUpdate`.
    if error.message.hasSuffix(" may not be modified") { return QueryRefusal.writing.error }
    // A trigger of the changed table uses a virtual table, such as a full-text index.
    let writes = ["update", "insert", "replace", "delete"]
    if error.message.utf8.starts(with: "unsafe use of virtual table".utf8),
      let first = TokenizedSQL(sql).tokens.first, writes.contains(where: { first.isName($0) })
    {
      return QueryRefusal.writing.error
    }
    let general = StorageError.sqlite("run the statement", error.withoutStatement)
    // The statement asks for too much, which says nothing about the stored data.
    let code = error.isExcess ? .misuse : general.code
    let marked = offset.map { MarkedSQL(sql, at: $0) }
    let place =
      marked.map { " at the character \($0.position), marked with \(MarkedSQL.mark) in \($0.text)" }
      ?? ", in the statement \(StorageError.printable(sql))"
    return StorageError(
      code, "cannot run the statement: \(error.withShortenedMessage)\(place)",
      suggestion: suggestion(for: error, in: sql, isMarked: marked != nil)
        ?? (code == .misuse ? nil : general.suggestion),
      backend: SQLiteBackend.name, underlying: Self.cause(of: error))
  }

  /// Returns the cause of the error of a statement, which names a missing table if that is the
  /// reason.
  private static func cause(of error: SQLiteError) -> any Error {
    guard let name = QueryNames.subject(of: error.message, after: missingTable) else {
      return error
    }
    return MissingTableError(name: name, causedBy: error)
  }

  /// The beginning of the message of SQLite about a table that does not exist.
  private static let missingTable = "no such table: "

  private func suggestion(for error: SQLiteError, in sql: String, isMarked: Bool) -> String? {
    let message = error.message
    if let name = QueryNames.subject(of: message, after: Self.missingTable) {
      return QueryNames(of: self).suggestion(forTable: name)
    }
    if let name = QueryNames.subject(of: message, after: "no such column: ") {
      return QueryNames(of: self).suggestion(forColumn: name, in: TokenizedSQL(sql))
    }
    func begins(_ text: String) -> Bool { message.utf8.starts(with: text.utf8) }
    if begins("no such function: ") {
      return "check the spelling; the functions that an application defines are not available"
    }
    if begins("no such collation sequence: ") || begins("no such tokenizer: ")
      || begins("no such module: ")
    {
      return "query other columns or tables; only the application has what is missing"
    }
    if begins("ambiguous column name: ") { return "write the name of the table before the column" }
    if begins("incomplete input") { return "complete the SQL of the statement" }
    if message.hasSuffix(": syntax error") {
      return isMarked ? "correct the SQL at the mark" : "correct the SQL at the quoted word"
    }
    if error.code.primary == .busy { return "repeat the query after the other process has written" }
    if begins("statement too long") { return "shorten the statement" }
    if error.isOutOfMemory {
      return "select or sort fewer rows, or only parts of the values with substr(…)"
    }
    if error.code.primary == .tooBig { return "select a part of the value with substr(…)" }
    return nil
  }
}

extension SQLiteError {
  /// Whether a value is too large, or the statement needs too much memory.
  fileprivate var isExcess: Bool { code.primary == .tooBig || isOutOfMemory }

  fileprivate var isOutOfMemory: Bool {
    code.primary == .outOfMemory || code == .ioErrorOutOfMemory
  }

  /// The same error without its statement, which the message of a ``StorageError`` would repeat.
  fileprivate var withoutStatement: SQLiteError {
    SQLiteError(
      code: code, message: message, sql: nil, path: path, systemErrorNumber: systemErrorNumber)
  }

  /// The same error with a message that does not repeat a long name or token of the statement.
  fileprivate var withShortenedMessage: SQLiteError {
    SQLiteError(
      code: code, message: message.withoutMiddle, sql: sql, path: path,
      systemErrorNumber: systemErrorNumber)
  }
}
