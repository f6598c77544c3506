import CSQLite
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

extension StorageError {
  /// Returns the ``StorageError`` for an error of libsqlite3.
  ///
  /// The message has the form `cannot <action>: <reason>` or, if `error` contains the SQL of a
  /// statement, `cannot <action> a statement: <reason>, in the statement <SQL>`. If the cause can
  /// be in the file of the database, the path of the file precedes the colon, unless `action`
  /// contains a quoted name.
  ///
  /// This function is the only translation of SQLite's result codes in the project.
  static func sqlite(_ action: String, _ error: SQLiteError) -> StorageError {
    if error.code == .abortRollback {
      // A query cannot continue after its transaction was rolled back. (`SQLITE_ABORT_ROLLBACK`)
      let database = error.path.map { quoted($0) } ?? "the in-memory database"
      return Connection.endedBefore(on: database).caused(by: error)
    }
    let (code, suggestion) = meaning(of: error)
    let statement =
      error.sql.map { ", in the statement \(printable($0, isInSQLiteError: true))" } ?? ""
    let subject = error.sql == nil ? "" : " a statement"
    // The path of the file helps to repair the file, and to find the process that holds its lock.
    let file =
      concernsFile(code) && !action.contains("\"")
      ? error.path.map { " on \(quoted($0))" } ?? "" : ""
    return StorageError(
      code, "cannot \(action)\(subject)\(file): \(error)\(statement)", suggestion: suggestion,
      backend: SQLiteBackend.name, underlying: error)
  }

  /// Returns whether the cause of an error with this code can be in the file of the database.
  private static func concernsFile(_ code: Code) -> Bool {
    let codes: [Code] = [.locked, .corrupted, .full, .accessDenied, .unavailable, .io]
    return codes.contains(code)
  }

  /// Returns `sql` between backticks, in a form that a reader can copy and run.
  ///
  /// SQL often contains double quotes, so double quotes around it would not show where it ends.
  ///
  /// A statement of more than 1,500 bytes is cut off, and its size is added. Only characters that
  /// could mislead a reader are escaped: invisible characters, and control characters other than
  /// line feed and tab.
  ///
  /// - Parameter isInSQLiteError: whether the error has an underlying ``SQLiteError`` that contains
  ///   the whole statement. The text of a long statement then mentions this.
  static func printable(_ sql: String, isInSQLiteError: Bool = false) -> String {
    let limit = 1_500
    var text = "`"
    var count = 0
    for scalar in sql.unicodeScalars {
      count += scalar.utf8.count
      if count > limit {
        let hint = isInSQLiteError ? "; SQLiteError.sql contains the whole statement" : ""
        return text + "…` (the first \(limit) of \(sql.utf8.count) bytes\(hint))"
      }
      if scalar == "\"" || scalar == "\\" || scalar == "\n" || scalar == "\t" {
        text.unicodeScalars.append(scalar)
      } else {
        text += escaped(String(scalar))
      }
    }
    return text + "`"
  }

  private static func meaning(of error: SQLiteError) -> (Code, String?) {
    switch error.code {
    case .busy
    where error.message.hasSuffix("statements in progress")
      || error.message.hasSuffix("active statements"):
      // No other connection holds the lock, so waiting would not help.
      (.misuse, "repeat the call after the running statement has ended")
    case .busySnapshot:
      // The transaction has read an old version of the database, and can never write.
      // (`SQLITE_BUSY_SNAPSHOT`)
      (
        .locked,
        """
        repeat the transaction with write(lock: .immediate) { db in … }, or read before the \
        transaction in a separate read { db in … }; another connection has written since this \
        transaction began to read
        """
      )
    case .busy:
      (
        .locked,
        """
        wait for the other writer to finish, or open the database with a longer \
        DatabaseOptions.lockTimeout
        """
      )
    // A reader found no moment without a writer for ten seconds.
    case .lockProtocol:
      (.locked, "repeat the call, because another process may have stopped during a write")
    case .locked:
      (.locked, "end the query that still reads the table, or read its rows with fetchAll first")
    case .corruptVirtualTable:
      // Only a virtual table is damaged, such as a full-text index. (`SQLITE_CORRUPT_VTAB`)
      (.corrupted, rebuilding(error.sql ?? ""))
    case .corrupt, .notADatabase,
      // A damaged header may name a format that this library does not support.
      .error where error.message == "unsupported file format":
      (
        .corrupted,
        """
        restore the file from a backup, or rename the file to start with an empty database; \
        nothing was changed
        """
      )
    case .full,
      .ioError where [ENOSPC, EDQUOT].contains(error.systemErrorNumber),
      .cannotOpen where [ENOSPC, EDQUOT].contains(error.systemErrorNumber):
      (.full, "free disk space; nothing was changed")
    case .constraint, .mismatch: (.constraintViolated, suggestion(forViolation: error))
    case .readOnly, .permissionDenied, .notAuthorized:
      (.accessDenied, "check the owner and mode of the file and of its folder")
    case .ioError,
      .cannotOpen where error.systemErrorNumber == EIO:
      (.io, "check the disk and the file system of the file, and repeat the call")
    case .cannotOpen where [EMFILE, ENFILE].contains(error.systemErrorNumber):
      (.io, openFileLimitSuggestion)
    case .cannotOpen: (.unavailable, "check that the path names a file in a writable folder")
    case .interrupted: (.interrupted, "repeat the call if its result is still needed")
    case .tooBig:
      (
        .tooLarge,
        """
        reduce the size of the value or of the statement, or raise \
        DatabaseOptions.maximumValueByteCount if it is set
        """
      )
    case .error, .misuse, .outOfRange: (.misuse, suggestion(of: error))
    case .outOfMemory: (.io, "free memory, and repeat the call")
    default: (.io, nil)
    }
  }

  /// Returns a suggestion for a violated constraint, or `nil` if the error does not identify the
  /// cause.
  private static func suggestion(forViolation error: SQLiteError) -> String? {
    if error.constraint == .foreignKey {
      return """
        insert the referenced row before the row that refers to it, and delete the referring rows \
        before the referenced row
        """
    }
    return switch error.code {
    case .constraintUnique, .constraintPrimaryKey, .constraintRowID:
      "write values that no other row has, or update the existing row with ON CONFLICT … DO UPDATE"
    case .constraintNotNull:
      "supply a value for the column, or declare a default value for the column"
    case .constraintCheck: "change the value so that it satisfies the CHECK constraint"
    case .constraintDataType: "pass a value of the declared type of the column"
    case .mismatch: "pass an integer as the INTEGER PRIMARY KEY, the LIMIT or the OFFSET"
    case .constraintTrigger: "change the write so that it satisfies the rule of the trigger"
    default: nil
    }
  }

  /// Returns the suggestion to rebuild a damaged full-text table, with the SQL that does this.
  ///
  /// `sql` is the statement that has found the damage. The name of the full-text table is the token
  /// before `MATCH`, or the repeated name in `INSERT INTO name(name, …)`. If a trigger wrote to the
  /// full-text table, `sql` does not contain the name, and the suggestion contains a placeholder
  /// for the name.
  private static func rebuilding(_ sql: String) -> String {
    let tokens = SQLTokenizer.split(sql)
    var name: ExactString?
    if let match = tokens.firstIndex(where: { $0.isWord("match") }), match > 0 {
      name = tokens[match - 1].name
    } else if let into = tokens.firstIndex(where: { $0.isWord("into") }), tokens.count > into + 3,
      tokens[into + 2].isPunctuation("("), tokens[into + 1].name == tokens[into + 3].name
    {
      name = tokens[into + 1].name
    }
    guard let name = name?.text.quotedIdentifier else {
      return """
        rebuild the full-text table of the written table with \
        `INSERT INTO "‹table›_search"("‹table›_search") VALUES ('rebuild')`, where ‹table› is the \
        name of the written table; the rows of the table are unchanged
        """
    }
    return """
      rebuild the full-text table from its rows with \
      `INSERT INTO \(name)(\(name)) VALUES ('rebuild')`; the rows of the table are unchanged
      """
  }

  /// Returns a suggestion for incorrect SQL, or `nil` if the message of SQLite is not a known
  /// message.
  private static func suggestion(of error: SQLiteError) -> String? {
    let message = error.message
    // Compares bytes, not characters, because a name that follows may begin with a combining
    // accent.
    func begins(_ text: String) -> Bool { message.utf8.starts(with: text.utf8) }
    return switch message {
    case _ where error.code == .missingCollation:
      // SQLite reports this code if a check of all tables finds a missing collation. The message
      // then does not name the collation.
      "in DatabaseOptions.setUp, register the collations that the schema uses"
    case "SQL logic error" where error.sql?.uppercased().contains("MATCH") == true:
      "create the full-text query with FullTextQuery, which accepts any text"
    case _ where begins("no such collation sequence: "),
      _ where begins("no such function: "),
      _ where begins("no such tokenizer: "):
      """
      register the collation, function or tokenizer in DatabaseOptions.setUp, so that every \
      connection has it
      """
    case _ where begins("no such module: "):
      """
      check the spelling, or link a libsqlite3 that was built with the module; db.supports(_:) \
      returns whether the library has a feature
      """
    case _ where begins("no such column: "):
      "check the spelling; db.columns(of:) returns the columns of a table"
    case _ where begins("no such table: "):
      "check the spelling, create the table first, or attach the file that contains the table"
    case _ where begins("unsafe use of "):
      "register the function with isInnocuous: true if an untrusted schema may call it"
    case "near \"?\": syntax error":
      """
      interpolate a name as \\(identifier: name); put parentheses around an interpolated list; \
      write the value of a PRAGMA directly into the SQL, because a PRAGMA accepts no placeholders
      """
    case _ where message.hasSuffix(": syntax error"): "correct the SQL at the quoted word"
    case "incomplete input": "complete the SQL of the statement"
    case _ where begins("ambiguous column name: "): "write the name of the table before the column"
    case _ where message.hasSuffix(" already exists"): "choose another name, or add IF NOT EXISTS"
    case _ where begins("parameters "):
      "write the value directly into the SQL: a schema cannot contain placeholders"
    case _ where begins("cannot VACUUM"):
      "call database.vacuum() outside of read and write"
    case _ where message.hasSuffix("inside a transaction"),
      _ where message.hasSuffix("from within a transaction"):
      "run the statement in writeWithoutTransaction { db in … }"
    default: nil
    }
  }

  /// Creates a ``StorageError/Code/misuse`` error that names the SQLite backend.
  static func sqliteMisuse(_ message: String, suggestion: String? = nil) -> StorageError {
    StorageError(.misuse, message, suggestion: suggestion, backend: SQLiteBackend.name)
  }
}
