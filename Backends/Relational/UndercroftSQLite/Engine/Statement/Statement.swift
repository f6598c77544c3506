import CSQLite
package import UndercroftCore
import UndercroftFoundation

/// A prepared statement, which can be run many times with different values.
///
/// ``Connection/prepare(_:_:)`` passes a statement to its closure, and finalizes or caches it
/// afterwards.
///
/// ```swift
/// try db.prepare("INSERT INTO book(title, pages) VALUES (?, ?)") { insert in
///   for book in books {
///     try insert.bind(book.title, at: 1)
///     try insert.bind(book.pages, at: 2)
///     try insert.run()
///   }
/// }
/// ```
public struct Statement: ~Copyable {
  // Finalized exactly once, unless `release()` transfers it to the statement cache.
  let raw: OpaquePointer
  /// Whether the statement was created inside a transaction.
  ///
  /// Such a statement must not be run after that transaction has ended.
  private let isTransactional: Bool
  /// The connection state that is notified of runs, and the record of the tables and columns that
  /// the statement reads and writes.
  ///
  /// Both objects must outlive the statement.
  private(set) var owner: (state: Unmanaged<ConnectionState>, access: Unmanaged<StatementAccess>)?

  /// Prepares the statement in `sql`, and throws if `sql` does not contain exactly one statement.
  /// (`sqlite3_prepare_v3`)
  init(_ sql: String, on connection: OpaquePointer) throws(StorageError) {
    if sql.utf8.contains(0) {
      throw .sqliteMisuse(
        """
        cannot prepare the statement \(StorageError.printable(sql)): the SQL contains a NUL \
        character
        """,
        suggestion: """
          remove the NUL character, or bind the text that contains the NUL character as a value
          """)
    }
    var sql = sql
    var statement: OpaquePointer?
    var hasMore = false
    let code = sql.withUTF8 { text in
      text.withMemoryRebound(to: CChar.self) { text in
        var tail: UnsafePointer<CChar>?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        let count = Int32(clamping: text.count)
        // An empty text has no address. An empty statement is refused below.
        guard let start = text.baseAddress else { return SQLITE_OK }
        let code = sqlite3_prepare_v3(connection, start, count, flags, &statement, &tail)
        if code == SQLITE_OK, let tail {
          let rest = count - Int32(clamping: tail - start)
          hasMore =
            rest > 0 && !SQLWhitespace.isAll(UnsafeBufferPointer(start: tail, count: Int(rest)))
        }
        return code
      }
    }
    guard code == SQLITE_OK else {
      throw .sqlite("prepare", SQLiteError(code, on: connection, sql: sql))
    }
    guard let statement else {
      throw .sqliteMisuse(
        sql.isEmpty
          ? "cannot prepare a statement: the SQL is empty"
          : "cannot prepare \(StorageError.printable(sql)): the SQL contains no statement",
        suggestion: "pass the SQL of exactly one statement")
    }
    guard !hasMore else {
      sqlite3_finalize(statement)
      throw .sqliteMisuse(
        """
        cannot prepare \(StorageError.printable(sql)): the SQL contains more than one statement
        """,
        suggestion: "call db.executeScript(_:), or run the statements one by one")
    }
    self.init(adopting: statement)
  }

  /// Creates a statement from the handle of a prepared statement (`sqlite3_stmt`), which
  /// `deinit` finalizes.
  init(adopting raw: OpaquePointer) {
    self.raw = raw
    isTransactional = sqlite3_get_autocommit(sqlite3_db_handle(raw)) == 0
  }

  deinit { sqlite3_finalize(raw) }

  /// Sets the connection state that is notified of all later runs, and the record of the tables and
  /// columns that the statement uses.
  ///
  /// `state` and `access` must outlive the statement.
  mutating func setOwner(_ state: ConnectionState, _ access: StatementAccess) {
    owner = (.passUnretained(state), .passUnretained(access))
  }

  /// Notifies the connection state that a run is about to begin.
  func willRun() throws(StorageError) {
    guard let owner else { return }
    // References of their own would be retained and released at each run.
    let failure: StorageError? = owner.state._withUnsafeGuaranteedRef { state in
      owner.access._withUnsafeGuaranteedRef { access in
        do throws(StorageError) {
          try state.willStep(access)
          return nil
        } catch {
          return error
        }
      }
    }
    if let failure { throw failure }
  }

  /// Resets the statement, clears its values, and transfers the ownership of its handle
  /// (`sqlite3_stmt`) to the caller.
  consuming func release() -> OpaquePointer {
    sqlite3_reset(raw)
    sqlite3_clear_bindings(raw)
    let raw = raw
    discard self
    return raw
  }

  // MARK: Running

  /// Whether a run of the statement cannot change the database. (`sqlite3_stmt_readonly`)
  var isReadOnly: Bool { sqlite3_stmt_readonly(raw) != 0 }

  /// Whether the transaction in which the statement was created has ended.
  var outlivedTransaction: Bool {
    isTransactional && sqlite3_get_autocommit(sqlite3_db_handle(raw)) != 0
  }

  /// Advances to the next row, and returns whether there is a next row. (`sqlite3_step`)
  func step() throws(StorageError) -> Bool {
    let code = sqlite3_step(raw)
    switch code {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default:
      let failure = failure("run", code)
      if let owner {
        owner.state.takeUnretainedValue().didFail(owner.access.takeUnretainedValue(), failure)
      }
      throw failure
    }
  }

  /// The SQL of the statement between backticks, for error messages.
  var printedSQL: String {
    sqlite3_sql(raw).map { StorageError.printable(String(cString: $0)) } ?? ""
  }

  private func failure(_ action: String, _ code: Int32) -> StorageError {
    let text = sqlite3_sql(raw).map { String(cString: $0) }
    let showsArguments = owner?.state.takeUnretainedValue().showsArguments == true
    var error = SQLiteError(
      code, on: sqlite3_db_handle(raw), sql: text,
      hidesDetails: !showsArguments && sqlite3_bind_parameter_count(raw) > 0)
    if showsArguments, let expanded = sqlite3_expanded_sql(raw) {
      error.expandedSQL = String(cString: expanded)
      sqlite3_free(expanded)
    }
    return .sqlite(action, error)
  }

  // MARK: Binding

  /// Binds one value to each placeholder.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if there are more or fewer values than placeholders.
  func bind(_ values: [SQLValue]) throws(StorageError) {
    let expected = Int(sqlite3_bind_parameter_count(raw))
    guard expected == values.count else {
      throw .sqliteMisuse(
        """
        cannot bind \(values.count) value\(values.count == 1 ? "" : "s"): the statement \
        \(printedSQL) has \(expected) placeholder\(expected == 1 ? "" : "s")
        """,
        suggestion: """
          pass one value for each placeholder; if the SQL contains quotes around an interpolated \
          value, remove the quotes
          """)
    }
    for (offset, value) in values.enumerated() { try bind(value, at: Int32(offset + 1)) }
  }

  package func bind(_ value: SQLValue, at position: Int32) throws(StorageError) {
    switch value {
    case .null: try check(sqlite3_bind_null(raw, position), position)
    case .integer(let number): try check(sqlite3_bind_int64(raw, position, number), position)
    case .real(let number): try check(sqlite3_bind_double(raw, position, number), position)
    case .text(let text): try bind(text, at: position)
    case .blob(let bytes): try bind(bytes, at: position)
    }
  }

  func bind(_ text: String, at position: Int32) throws(StorageError) {
    // A mutable copy would retain the text. The copy is made only for text that is not stored as
    // contiguous UTF-8, such as a bridged `NSString`.
    if let code = text.utf8.withContiguousStorageIfAvailable({ bind($0, at: position) }) {
      return try check(code, position)
    }
    var text = text
    try check(text.withUTF8 { bind($0, at: position) }, position)
  }

  private func bind(_ utf8: UnsafeBufferPointer<UInt8>, at position: Int32) -> Int32 {
    utf8.withMemoryRebound(to: CChar.self) { text in
      guard let start = text.baseAddress, !text.isEmpty else {
        // A null pointer would bind NULL in place of an empty text.
        return sqlite3_bind_text(raw, position, "", 0, undercroft_sqlite_transient())
      }
      return sqlite3_bind_text64(
        raw, position, start, UInt64(text.count), undercroft_sqlite_transient(),
        UInt8(SQLITE_UTF8))
    }
  }

  /// Binds bytes as text, even if the bytes are not valid UTF-8.
  ///
  /// The key-value backend uses text that is not valid UTF-8 as the upper bound in a comparison of
  /// names.
  func bind(text bytes: [UInt8], at position: Int32) throws(StorageError) {
    let code = bytes.withUnsafeBytes { buffer in
      sqlite3_bind_text(
        raw, position, buffer.assumingMemoryBound(to: CChar.self).baseAddress,
        Int32(clamping: buffer.count), undercroft_sqlite_transient())
    }
    try check(code, position)
  }

  func bind(_ bytes: Data, at position: Int32) throws(StorageError) {
    let code = bytes.withUnsafeBytes { buffer in
      // A null pointer would bind NULL in place of an empty blob.
      guard let start = buffer.baseAddress, !buffer.isEmpty else {
        return sqlite3_bind_zeroblob(raw, position, 0)
      }
      return sqlite3_bind_blob64(
        raw, position, start, UInt64(buffer.count), undercroft_sqlite_transient())
    }
    try check(code, position)
  }

  private func check(_ code: Int32, _ position: Int32) throws(StorageError) {
    let isBound = code == SQLITE_OK
    // A binding that fails removes the previous value as well. A running statement retains its
    // values (`SQLITE_MISUSE`).
    if code != SQLITE_MISUSE { note(position, isBound: isBound) }
    if code == SQLITE_RANGE {
      let count = sqlite3_bind_parameter_count(raw)
      throw .sqliteMisuse(
        """
        cannot bind a value to the placeholder at the position \(position), counted from 1: the \
        statement \(printedSQL) has \(count) placeholder\(count == 1 ? "" : "s")
        """,
        suggestion: count == 0
          ? "write a placeholder such as ? in the SQL"
          : "pass \(count == 1 ? "the position 1" : "a position from 1 to \(count)"), or add "
            + "placeholders to the SQL")
    }
    if code == SQLITE_MISUSE {
      throw StorageError(
        .misuse,
        """
        cannot bind a value to the placeholder at the position \(position), counted from 1: the \
        statement \(printedSQL) is still returning rows
        """,
        suggestion: """
          bind the value after the closure that receives these rows has ended, or prepare a second \
          statement with the same SQL
          """,
        backend: SQLiteBackend.name, underlying: failure("bind a value to", code).underlying)
    }
    if !isBound {
      throw failure(
        "bind a value to the placeholder at the position \(position), counted from 1, of", code)
    }
  }
}
