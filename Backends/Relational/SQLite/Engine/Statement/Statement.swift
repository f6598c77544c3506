import CSQLite
package import UndercroftCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One prepared statement: lent by ``Connection/prepare(_:_:)``, to be run many times with values bound by hand.
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
  // Finalized exactly once unless it is given back to its cache.
  let raw: OpaquePointer
  /// Whether it was lent inside a transaction, outside of which it must not go on.
  private let isTransactional: Bool
  /// Who is told of its runs, and what it reads and writes; both outlive it.
  private(set) var owner: (state: Unmanaged<ConnectionState>, access: Unmanaged<StatementAccess>)?

  /// Prepares exactly one statement. (`sqlite3_prepare_v3`)
  init(_ sql: String, on connection: OpaquePointer) throws(StorageError) {
    if sql.utf8.contains(0) {
      throw .sqliteMisuse("cannot prepare SQL: it holds a NUL character", cure: "bind the value")
    }
    var sql = sql
    var statement: OpaquePointer?
    var hasMore = false
    let code = sql.withUTF8 { text in
      text.withMemoryRebound(to: CChar.self) { text in
        var tail: UnsafePointer<CChar>?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        let count = Int32(clamping: text.count)
        // An empty text has no address, and an empty statement is refused below.
        guard let start = text.baseAddress else { return SQLITE_OK }
        let code = sqlite3_prepare_v3(connection, start, count, flags, &statement, &tail)
        if code == SQLITE_OK, let tail {
          let rest = count - Int32(clamping: tail - start)
          hasMore = rest > 0 && !Blanks.isAll(UnsafeBufferPointer(start: tail, count: Int(rest)))
        }
        return code
      }
    }
    guard code == SQLITE_OK else {
      throw .sqlite("prepare", SQLiteError(code, on: connection, sql: sql))
    }
    guard let statement else { throw .sqliteMisuse("cannot prepare SQL: it is empty") }
    guard !hasMore else {
      sqlite3_finalize(statement)
      throw .sqliteMisuse(
        "cannot prepare \(StorageError.shown(sql)): it holds more than one statement",
        cure: "call executeScript, or run them one by one")
    }
    self.init(adopting: statement)
  }

  /// Takes over a statement that was prepared before.
  init(adopting raw: OpaquePointer) {
    self.raw = raw
    isTransactional = sqlite3_get_autocommit(sqlite3_db_handle(raw)) == 0
  }

  deinit { sqlite3_finalize(raw) }

  /// Makes it tell of its runs; it must be given up before either of them.
  mutating func tell(_ state: ConnectionState, _ access: StatementAccess) {
    owner = (.passUnretained(state), .passUnretained(access))
  }

  /// Tells that it is about to be run.
  func tellOfRun() throws(StorageError) {
    guard let owner else { return }
    try owner.state.takeUnretainedValue().willStep(owner.access.takeUnretainedValue())
  }

  /// Gives the statement away, reset and without its values.
  consuming func release() -> OpaquePointer {
    sqlite3_reset(raw)
    sqlite3_clear_bindings(raw)
    let raw = raw
    discard self
    return raw
  }

  // MARK: Running

  /// Whether running it cannot change the database. (`sqlite3_stmt_readonly`)
  var isReadOnly: Bool { sqlite3_stmt_readonly(raw) != 0 }

  /// Whether the transaction in which it was lent has ended.
  var isLeftBehind: Bool {
    isTransactional && sqlite3_get_autocommit(sqlite3_db_handle(raw)) != 0
  }

  /// Goes to the next row; `false` at the end. (`sqlite3_step`)
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

  /// Binds all values, of which there must be as many as placeholders.
  func bind(_ values: [SQLValue]) throws(StorageError) {
    let wanted = Int(sqlite3_bind_parameter_count(raw))
    guard wanted == values.count else {
      throw .sqliteMisuse(
        "cannot bind \(values.count) value\(values.count == 1 ? "" : "s"): the statement has \(wanted) placeholder\(wanted == 1 ? "" : "s")",
        cure: "interpolate every value, and put no quotes around it")
    }
    for (offset, value) in values.enumerated() { try bind(value, at: Int32(offset + 1)) }
  }

  package func bind(_ value: SQLValue, at position: Int32) throws(StorageError) {
    switch value {
    case .null: try settle(sqlite3_bind_null(raw, position), position)
    case .integer(let number): try settle(sqlite3_bind_int64(raw, position, number), position)
    case .real(let number): try settle(sqlite3_bind_double(raw, position, number), position)
    case .text(let text): try bind(text, at: position)
    case .blob(let bytes): try bind(bytes, at: position)
    }
  }

  func bind(_ text: String, at position: Int32) throws(StorageError) {
    // Without a variable of its own, which would be retained; only what Cocoa keeps needs one.
    if let code = text.utf8.withContiguousStorageIfAvailable({ bind($0, at: position) }) {
      return try settle(code, position)
    }
    var text = text
    try settle(text.withUTF8 { bind($0, at: position) }, position)
  }

  private func bind(_ utf8: UnsafeBufferPointer<UInt8>, at position: Int32) -> Int32 {
    utf8.withMemoryRebound(to: CChar.self) { text in
      guard let start = text.baseAddress, !text.isEmpty else {
        // No address would bind NULL; static text needs no copy.
        return sqlite3_bind_text(raw, position, "", 0, undercroft_sqlite_transient())
      }
      return sqlite3_bind_text64(
        raw, position, start, UInt64(text.count), undercroft_sqlite_transient(),
        UInt8(SQLITE_UTF8))
    }
  }

  /// Binds bytes as text, whether or not they are UTF-8: a bound to compare with.
  func bind(text bytes: [UInt8], at position: Int32) throws(StorageError) {
    let code = bytes.withUnsafeBytes { buffer in
      sqlite3_bind_text(
        raw, position, buffer.assumingMemoryBound(to: CChar.self).baseAddress,
        Int32(clamping: buffer.count), undercroft_sqlite_transient())
    }
    try settle(code, position)
  }

  func bind(_ bytes: Data, at position: Int32) throws(StorageError) {
    let code = bytes.withUnsafeBytes { buffer in
      // No address would bind NULL.
      guard let start = buffer.baseAddress, !buffer.isEmpty else {
        return sqlite3_bind_zeroblob(raw, position, 0)
      }
      return sqlite3_bind_blob64(
        raw, position, start, UInt64(buffer.count), undercroft_sqlite_transient())
    }
    try settle(code, position)
  }

  private func settle(_ code: Int32, _ position: Int32) throws(StorageError) {
    let isBound = code == SQLITE_OK
    // What was there before is gone also when it fails, but for a statement that is running, which stays as it is.
    if code != SQLITE_MISUSE { note(position, isBound: isBound) }
    if code == SQLITE_RANGE {
      let count = sqlite3_bind_parameter_count(raw)
      throw .sqliteMisuse(
        "cannot bind to placeholder \(position): the statement has \(count), counted from 1")
    }
    if !isBound { throw failure("bind a value to", code) }
  }
}
