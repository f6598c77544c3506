import CSQLite
import UndercroftCore
import UndercroftFileSystem

/// A reader that splits an SQL script into statements with the compiler of SQLite.
///
/// The end of a statement is known only after the statement is compiled, and
/// a statement can be compiled only after the earlier statements have run.
struct Script {
  /// The text in UTF-8 with a final NUL.
  ///
  /// Without the NUL, SQLite would copy all of the remaining text for each statement.
  private let text: [UInt8]
  private var position = 0
  private var line = 1
  /// The number of statements that were read so far, including a statement that cannot be compiled.
  private(set) var count = 0
  private var firstLine = 1

  init(_ sql: SQL) throws(StorageError) {
    if let failure = sql.failure { throw failure }
    guard sql.arguments.isEmpty else {
      throw .sqliteMisuse(
        """
        cannot run the script \(StorageError.printable(sql.text)): its SQL interpolates values, \
        which can be bound only to a single statement
        """,
        suggestion: "call db.execute(_:) for each statement")
    }
    guard !sql.text.utf8.contains(0) else {
      throw .sqliteMisuse(
        """
        cannot run the script \(StorageError.printable(sql.text)): its SQL contains a NUL character
        """,
        suggestion: "remove the NUL character from the script")
    }
    guard sql.text.utf8.count < Int32.max else {
      throw .sqliteMisuse(
        """
        cannot run the script \(StorageError.printable(sql.text)): its SQL has \
        \(sql.text.utf8.count) bytes, and the limit is \(Int32.max - 1) bytes
        """,
        suggestion: "split the script into smaller scripts")
    }
    text = Array(sql.text.utf8) + [0]
  }

  /// Returns the next statement, or `nil` at the end of the script. (`sqlite3_prepare_v3`)
  ///
  /// - Throws: if the statement cannot be compiled, an error whose message contains the number and
  ///   line of the statement.
  mutating func next(on connection: Connection) throws(StorageError) -> String? {
    while true {
      skipBlanks()
      guard position < text.count - 1 else { return nil }
      firstLine = line
      let (end, isStatement): (Int, Bool)
      do throws(StorageError) {
        // The authorizer checks this compilation, because SQLite executes some statements, such as
        // a PRAGMA, in part when it compiles them.
        let state = try connection.state
        (end, isStatement) = try state.recordingAccess(isRun: !isExplanation) {
          () throws(StorageError) in
          try prepareFirst(on: state.raw)
        }
      } catch {
        count += 1
        throw about(error)
      }
      // SQLite always advances. If it did not, this loop would not end.
      guard end > position else { return nil }
      let statement = text[position..<end]
      line += statement.count { $0 == UInt8(ascii: "\n") }
      position = end
      guard isStatement else { continue }
      count += 1
      return String(decoding: statement, as: UTF8.self)
    }
  }

  /// Returns `error` with a message that begins with the
  /// number and the line of the last statement that was read.
  func about(_ error: StorageError) -> StorageError {
    error.within("cannot run statement \(count) of the script, line \(firstLine)")
  }

  /// Whether the next statement begins with `EXPLAIN`, so that SQLite returns the
  /// program or the query plan of the explained statement instead of running it.
  private var isExplanation: Bool {
    SQLWhitespace.isExplanation(String(decoding: text[position...].prefix(8), as: UTF8.self))
  }

  /// Skips white space, comments and empty statements, so that `line` is the line number of the
  /// first word of the next statement.
  private mutating func skipBlanks() {
    while position < text.count - 1 {
      switch (text[position], text[position + 1]) {
      case (UInt8(ascii: "\n"), _):
        line += 1
        position += 1
      case (UInt8(ascii: " "), _), (UInt8(ascii: "\t"), _), (UInt8(ascii: "\r"), _),
        (UInt8(ascii: ";"), _):
        position += 1
      case (UInt8(ascii: "-"), UInt8(ascii: "-")):
        while position < text.count - 1, text[position] != UInt8(ascii: "\n") { position += 1 }
      case (UInt8(ascii: "/"), UInt8(ascii: "*")):
        position += 2
        while position < text.count - 1 {
          if text[position] == UInt8(ascii: "*"), text[position + 1] == UInt8(ascii: "/") { break }
          if text[position] == UInt8(ascii: "\n") { line += 1 }
          position += 1
        }
        position = min(position + 2, text.count - 1)
      default: return
      }
    }
  }

  private func prepareFirst(
    on connection: OpaquePointer
  ) throws(StorageError) -> (end: Int, isStatement: Bool) {
    let (code, end, isStatement) = text.withUnsafeBytes { text in
      let text = text.assumingMemoryBound(to: CChar.self)
      guard let start = text.baseAddress else { return (SQLITE_OK, position, false) }
      var statement: OpaquePointer?
      var tail: UnsafePointer<CChar>?
      let code = sqlite3_prepare_v3(
        connection, start + position, Int32(clamping: text.count - position), 0, &statement, &tail)
      sqlite3_finalize(statement)
      return (code, tail.map { $0 - start } ?? position, statement != nil)
    }
    guard code == SQLITE_OK else {
      let number = errno
      let end = StatementEnd.position(in: text, from: position)
      let sql = String(decoding: text[position..<end], as: UTF8.self)
      throw .sqlite("prepare", SQLiteError(code, on: connection, sql: sql, lastNumber: number))
    }
    return (end, isStatement)
  }
}
