import CSQLite
import UndercroftCore

/// A connection to the database, which is valid until the closure that receives it returns.
///
/// ``Database`` provides the connection inside a transaction, except in
/// ``Database/writeWithoutTransaction(from:_:)`` and ``DatabaseOptions/setUp``.
///
/// A connection is a handle that closures and local functions may capture. Because the handle is
/// not `Sendable`, a task cannot capture it. If code stores the handle and uses it after the
/// closure has returned, every throwing function throws ``StorageError/Code/misuse``. Every
/// property then has the value of a connection that is not in a transaction and has changed
/// nothing.
public struct Connection {
  /// The state of the connection, which may be in use by another closure or closed by now.
  private let uncheckedState: ConnectionState
  /// The number of the outermost read or write for which this handle was created.
  private let useNumber: UInt64
  let mayWrite: Bool

  init(_ state: ConnectionState, mayWrite: Bool) {
    uncheckedState = state
    useNumber = state.useNumber
    self.mayWrite = mayWrite
  }

  /// The state of the connection, or `nil` if the closure that received this handle has returned.
  var stateIfValid: ConnectionState? {
    uncheckedState.useNumber == useNumber ? uncheckedState : nil
  }

  /// The state of the connection.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the closure that received this handle has returned.
  var state: ConnectionState {
    get throws(StorageError) {
      guard uncheckedState.useNumber == useNumber else { throw Self.usedAfterClosure }
      return uncheckedState
    }
  }

  private static var usedAfterClosure: StorageError {
    .sqliteMisuse(
      "cannot use a stored Connection: the closure that received the connection has returned",
      suggestion:
        "use the connection only inside the closure of read { db in … } or write { db in … }")
  }

  /// Runs one statement, and returns the number of rows that it inserted, changed or deleted.
  /// (`sqlite3_changes64`)
  ///
  /// - Throws: ``StorageError`` with an underlying ``SQLiteError``; ``StorageError/Code/misuse``
  ///   for a writing statement inside a read, and for a statement that begins or ends a
  ///   transaction.
  @discardableResult
  public func execute(_ sql: SQL) throws -> Int {
    try prepared(sql) { statement, connection in
      let before = sqlite3_total_changes64(connection)
      try statement.run()
      // SQLite does not reset the count if a statement writes nothing.
      return sqlite3_total_changes64(connection) == before ? 0 : Int(sqlite3_changes64(connection))
    }
  }

  /// Returns the results of `body` for all rows of a query.
  ///
  /// If the query fails at any row, throws and returns nothing.
  @inlinable
  public func fetchAll<Element>(
    _ sql: SQL, _ body: (borrowing Row) throws -> Element
  ) throws -> [Element] {
    var elements: [Element] = []
    try forEach(sql) { row in elements.append(try body(row)) }
    return elements
  }

  /// Returns the result of `body` for the first row of a query, or `nil` if there is no row.
  @inlinable
  public func fetchOne<Element>(
    _ sql: SQL, _ body: (borrowing Row) throws -> Element
  ) throws -> Element? {
    // The closure assigns the element, because each generic function that returned the element
    // would copy it.
    var element: Element?
    try forEachUntil(sql) { row in
      element = try body(row)
      return .stop
    }
    return element
  }

  /// Calls `body` for each row of a query, without storing the rows.
  public func forEach(_ sql: SQL, _ body: (borrowing Row) throws -> Void) throws {
    try prepared(sql) { statement, _ in try statement.forEach(body) }
  }

  /// Calls `body` for each row of a query until `body` returns ``IterationControl/stop``.
  public func forEachUntil(_ sql: SQL, _ body: (borrowing Row) throws -> IterationControl) throws {
    try prepared(sql) { statement, _ in try statement.forEachUntil(body) }
  }

  /// Prepares a statement, and calls `body`, which can bind values to the statement and run it many
  /// times.
  ///
  /// If an SQL function of the connection throws an error, this function throws the same error.
  /// Inside `body`, `statement.run()` throws a ``StorageError`` instead, because it can throw no
  /// other type.
  ///
  /// - Throws: any error that `body` throws, unchanged; ``StorageError/Code/misuse`` if `sql`
  ///   interpolates values, because this function does not bind interpolated values.
  public func prepare<Result>(
    _ sql: SQL, _ body: (borrowing Statement) throws -> Result
  ) throws -> Result {
    guard sql.arguments.isEmpty else {
      throw StorageError.sqliteMisuse(
        """
        cannot prepare the statement \(StorageError.printable(sql.text)): its SQL interpolates \
        values, which db.prepare(_:_:) does not bind
        """,
        suggestion:
          "write ? instead of each interpolated value, and bind the values to the statement")
    }
    return try prepared(sql, isBoundByHand: true) { statement, _ in
      try statement.bindingIndividually(body)
    }
  }

  /// The rowid of the row that this connection inserted last, or 0 before its first insertion.
  /// (`sqlite3_last_insert_rowid`)
  public var lastInsertedRowID: Int64 {
    stateIfValid.map { sqlite3_last_insert_rowid($0.raw) } ?? 0
  }

  /// Runs a statement with `value` bound to its only placeholder, and calls `body` with the first
  /// row if there is a row.
  package func withRow(
    _ sql: SQL, for value: SQLValue, _ body: (borrowing Row) throws -> Void
  ) throws {
    try prepared(sql, isBoundByHand: true) { statement, _ in
      try statement.bind(value, at: 1)
      try statement.withFirstRow(body)
    }
  }

  // The compiler inlines this function and those that it calls, so that a query needs no closure
  // contexts: a read of one row takes a tenth less time.
  @inline(__always)
  private func prepared<Result>(
    _ sql: SQL, isBoundByHand: Bool = false,
    _ body: (borrowing Statement, OpaquePointer) throws -> Result
  ) throws -> Result {
    if let failure = sql.failure { throw failure }
    let state = try state
    do {
      return try state.withStatement(sql.text) { statement, access in
        try allow(statement, access, on: state)
        if !isBoundByHand { try statement.bind(sql.arguments) }
        return try state.monitored(sql, access) { try body(statement, state.raw) }
      }
    } catch {
      throw state.thrown.cause(of: error)
    }
  }

  private func allow(
    _ statement: borrowing Statement, _ access: StatementAccess, on state: ConnectionState
  ) throws(StorageError) {
    // After some errors SQLite rolls back the whole transaction. Each later statement would then
    // commit by itself.
    if state.isInOwnTransaction, !state.isInTransaction {
      throw Self.endedBefore(on: state.databaseName)
    }
    guard mayWrite || statement.isReadOnly || access.onlyReadsJournalMode else {
      throw .sqliteMisuse(
        """
        cannot run the statement \(statement.printedSQL) on \(state.databaseName): the statement \
        writes, but it was run on a connection that only permits reading
        """,
        suggestion: """
          run the statement in write { db in … } of a database that is not open read-only
          """)
    }
  }

  // MARK: Statements of the engine

  /// Calls `body` with a cached statement for `sql`, which is SQL of this library and not of the
  /// application.
  func withStatement<Result>(
    _ sql: StaticString, _ body: (borrowing Statement) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    try watched(sql.description) { (statement) throws(StorageError) in
      try statement.willRun()
      return try body(statement)
    }
  }

  /// Runs the statement `sql` of this library, and not of the application, to its end.
  func run(_ sql: String) throws(StorageError) {
    try watched(sql) { (statement) throws(StorageError) in try statement.run() }
  }

  /// Runs a cached statement of the key-value backend, which writes to the key-value table.
  ///
  /// The key-value backend itself reports the names that the statement changes. The connection
  /// therefore does not report that any name may have changed, unless a trigger of the statement
  /// writes to the table.
  func runReported(
    _ sql: StaticString,
    _ bind: (borrowing Statement) throws(StorageError) -> Void = {
      (_: borrowing Statement) throws(StorageError) in
    }
  ) throws(StorageError) {
    let state = try state
    try watched(sql.description) { (statement) throws(StorageError) in
      try bind(statement)
      state.entryWrites.isReported = true
      defer { state.entryWrites.isReported = false }
      try statement.run()
    }
  }

  /// Calls `body` with a cached statement for `sql`, which is SQL of this library and not of the
  /// application.
  ///
  /// Monitors observe the statement and can refuse it.
  ///
  /// The checks of `allow(_:_:on:)` apply only to statements of the application, and are omitted
  /// here.
  private func watched<Result>(
    _ sql: String, _ body: (borrowing Statement) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    let state = try state
    do {
      return try state.withStatement(sql) { statement, access in
        try state.monitored(nil, access) { try body(statement) }
      }
    } catch let error as StorageError {
      throw error
    } catch {
      throw StorageError(
        .vetoed,
        """
        cannot write to \(state.databaseName): a TableInterceptor of the database rejected the \
        write: \(error)
        """,
        suggestion: "change the write or the interceptor; the rejected write changed nothing",
        backend: SQLiteBackend.name, underlying: error)
    }
  }

  /// Returns the integer in the first column of the first row of a statement, or `nil` if there is
  /// no row or the value is NULL.
  func integer(_ sql: StaticString) throws(StorageError) -> Int64? {
    try withStatement(sql) { (statement) throws(StorageError) in
      try statement.step() ? try Row(statement: statement.raw)[0] : nil
    }
  }
}
