import CSQLite
import UndercroftCore
import UndercroftFoundation

extension QueryConnection {
  /// Prepares a statement that only reads. (`sqlite3_prepare_v3`)
  ///
  /// - Throws: ``StorageError/Code/misuse`` if `sql` is not exactly one valid statement that only
  ///   reads and has no placeholders, or if it names a table that several stores have without a
  ///   store.
  func prepare(_ sql: String) throws(StorageError) -> Statement {
    guard !sql.utf8.contains(0) else {
      throw .sqliteMisuse(
        "cannot run the statement: the SQL contains a NUL character",
        suggestion: "remove the NUL character, or write it in a literal as char(0)")
    }
    authorizer?.forgetReads()
    let (code, statement, rest) = compile(sql)
    let reads = authorizer?.reads ?? []
    guard code == SQLITE_OK else {
      let offset = errorOffset
      throw problem(SQLiteError(code, on: raw, sql: sql), in: sql, at: offset)
    }
    guard let statement else {
      throw .sqliteMisuse(
        "cannot run the statement: the SQL contains no statement",
        suggestion: "pass a SELECT statement")
    }
    let prepared = Statement(adopting: statement)
    if let rest {
      throw .sqliteMisuse(
        """
        cannot run the statement: a second statement follows the first one: \
        \(StorageError.printable(String(rest.drop { $0.isWhitespace })))
        """,
        suggestion: "pass the statements one by one")
    }
    guard prepared.isReadOnly else { throw QueryRefusal.writing.error }
    guard sqlite3_bind_parameter_count(prepared.raw) == 0 else {
      throw .sqliteMisuse(
        "cannot run the statement: the statement has a placeholder, which has no value",
        suggestion: "write the value in the SQL, and write text in single quotes")
    }
    if let table = AmbiguousTable(in: sql, reads: reads, on: self) { throw table.error }
    return prepared
  }

  /// Advances to the next row, and returns whether there is a next row.
  ///
  /// - Throws: the error that reading a store has thrown, and ``StorageError/Code/interrupted`` if
  ///   the time limit is reached.
  func step(_ statement: borrowing Statement) throws -> Bool {
    try deadline.check()
    do throws(StorageError) {
      return try statement.step()
    } catch {
      let cause = thrown.cause(of: error)
      guard let failure = (cause as? StorageError)?.underlying as? SQLiteError,
        error.underlying as? SQLiteError == failure
      else { throw cause }
      throw problem(failure, in: failure.sql ?? "", at: nil)
    }
  }

  /// Returns the result code of compiling the first statement, the statement, and the text after it
  /// if the text contains another statement.
  private func compile(_ text: String) -> (code: Int32, OpaquePointer?, rest: String?) {
    var text = text
    var statement: OpaquePointer?
    var rest: String?
    let code = text.withUTF8 { utf8 in
      utf8.withMemoryRebound(to: CChar.self) { text in
        guard let start = text.baseAddress else { return SQLITE_OK }
        var tail: UnsafePointer<CChar>?
        let code = sqlite3_prepare_v3(
          raw, start, Int32(clamping: text.count), 0, &statement, &tail)
        if code == SQLITE_OK, let tail {
          let remaining = UnsafeBufferPointer(rebasing: text[(tail - start)...])
          if !SQLWhitespace.isAll(remaining) {
            rest = String(decoding: remaining.map { UInt8(bitPattern: $0) }, as: UTF8.self)
          }
        }
        return code
      }
    }
    return (code, statement, rest)
  }

  /// The position of the last error in the SQL in bytes, or `nil` if it is unknown.
  /// (`sqlite3_error_offset`, which SQLite has since version 3.38)
  private var errorOffset: Int? {
    guard SQLiteLibrary.current.version >= SQLiteVersion(3, 38) else { return nil }
    let offset = sqlite3_error_offset(raw)
    return offset < 0 ? nil : Int(offset)
  }
}

extension Statement {
  /// The names of the columns, even if there is no row. (`sqlite3_column_name`)
  var columnNames: [String] {
    (0..<sqlite3_column_count(raw)).map { position in
      sqlite3_column_name(raw, position).map { String(cString: $0) } ?? ""
    }
  }
}
