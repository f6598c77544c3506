import CSQLite
import UndercroftCore

/// The database as one closure sees it: lent by ``Database``, and of no use afterwards.
///
/// In one transaction, except in ``Database/writeWithoutTransaction(from:_:)`` and ``DatabaseOptions/setUp``.
public struct Connection: ~Copyable {
  let raw: OpaquePointer
  let state: ConnectionState
  let mayWrite: Bool

  /// Runs one statement and returns how many rows it inserted, changed or deleted. (`sqlite3_changes64`)
  ///
  /// - Throws: ``StorageError`` with an underlying ``SQLiteError``; ``StorageError/Code/misuse`` for a writing statement within
  ///   a read, and for a `BEGIN` or `COMMIT` by hand.
  @discardableResult
  public func execute(_ sql: SQL) throws -> Int {
    try prepared(sql) { statement in
      let before = sqlite3_total_changes64(raw)
      try statement.run()
      // The library keeps the count of the last writing statement while others run.
      return sqlite3_total_changes64(raw) == before ? 0 : Int(sqlite3_changes64(raw))
    }
  }

  /// Returns what `body` makes of each row; a query that fails midway throws and returns nothing.
  public func query<Element>(
    _ sql: SQL, _ body: (borrowing Row) throws -> Element
  ) throws -> [Element] {
    var elements: [Element] = []
    try forEach(sql) { row in elements.append(try body(row)) }
    return elements
  }

  /// Returns what `body` makes of the first row, or `nil` when there is none.
  public func first<Element>(
    _ sql: SQL, _ body: (borrowing Row) throws -> Element
  ) throws -> Element? {
    try prepared(sql) { statement in try statement.first(body) }
  }

  /// Calls `body` with one row after the other, keeping none.
  public func forEach(_ sql: SQL, _ body: (borrowing Row) throws -> Void) throws {
    try prepared(sql) { statement in try statement.forEach(body) }
  }

  /// Calls `body` with one row after the other until it returns ``RowStep/stop``.
  public func walk(_ sql: SQL, _ body: (borrowing Row) throws -> RowStep) throws {
    try prepared(sql) { statement in try statement.walk(body) }
  }

  /// Lends a prepared statement, to be run many times with values bound by hand.
  ///
  /// What a function of the connection throws comes through unchanged from here; `statement.run()` itself can but throw the ``StorageError``
  /// that stands for it.
  ///
  /// - Throws: what `body` throws, unchanged; ``StorageError/Code/misuse`` when `sql` interpolates values, which are bound already.
  public func prepare<Result>(
    _ sql: SQL, _ body: (borrowing Statement) throws -> Result
  ) throws -> Result {
    guard sql.arguments.isEmpty else {
      throw StorageError.sqliteMisuse(
        "cannot prepare a statement with interpolated values",
        cure: "write ? for each value, and bind them")
    }
    return try prepared(sql, isBoundByHand: true) { statement in try statement.boundByHand(body) }
  }

  /// The key of the row inserted last, or 0 before the first. (`sqlite3_last_insert_rowid`)
  public var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(raw) }

  private func prepared<Result>(
    _ sql: SQL, isBoundByHand: Bool = false, _ body: (borrowing Statement) throws -> Result
  ) throws -> Result {
    if let failure = sql.failure { throw failure }
    do {
      return try state.withStatement(sql.text, orThrow: { $0 as any Error }) { statement, access in
        try allow(statement, access)
        if !isBoundByHand { try statement.bind(sql.arguments) }
        return try state.monitored(sql, access) { try body(statement) }
      }
    } catch {
      throw state.thrown.cause(of: error)
    }
  }

  private func allow(
    _ statement: borrowing Statement, _ access: StatementAccess
  ) throws(StorageError) {
    // Some errors make SQLite roll back the whole transaction; each statement after that would be committed by itself.
    if state.isInOwnTransaction, !isInTransaction { throw Self.endedBefore }
    guard mayWrite || statement.isReadOnly || access.isQuestion else {
      throw .sqliteMisuse(
        "cannot run a statement that writes: it is inside a read", cure: "call write { db in … }")
    }
  }

  // MARK: For the engine itself

  /// Runs `body` with a cached statement, for SQL that is written here.
  func withStatement<Result>(
    _ sql: StaticString, _ body: (borrowing Statement) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    try watched(sql.description) { (statement) throws(StorageError) in
      try statement.tellOfRun()
      return try body(statement)
    }
  }

  /// Runs a statement of the engine's own to its end.
  func run(_ sql: String) throws(StorageError) {
    try watched(sql) { (statement) throws(StorageError) in try statement.run() }
  }

  /// Runs a cached statement of the keyed backend to its end; the backend reports the names that the
  /// statement itself changes.
  func runReported(
    _ sql: StaticString,
    _ bind: (borrowing Statement) throws(StorageError) -> Void = {
      (_: borrowing Statement) throws(StorageError) in
    }
  ) throws(StorageError) {
    try watched(sql.description) { (statement) throws(StorageError) in
      try bind(statement)
      state.entryWrites.isReported = true
      defer { state.entryWrites.isReported = false }
      try statement.run()
    }
  }

  /// Lends a statement past the caller's rules but not past the gate.
  private func watched<Result>(
    _ sql: String, _ body: (borrowing Statement) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    try state.withStatement(sql, orThrow: { $0 }) { (statement, access) throws(StorageError) in
      do {
        return try state.monitored(nil, access) { try body(statement) }
      } catch let error as StorageError {
        throw error
      } catch {
        throw StorageError(
          .vetoed, "cannot write: an interceptor refused it: \(error)",
          backend: SQLiteBackend.name, underlying: error)
      }
    }
  }

  /// Returns the only value of a statement that answers with one integer, or `nil` when it answers with none.
  func integer(_ sql: StaticString) throws(StorageError) -> Int64? {
    try withStatement(sql) { (statement) throws(StorageError) in
      try statement.step() ? try Row(statement: statement.raw)[0] : nil
    }
  }
}
