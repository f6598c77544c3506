import CSQLite
import Synchronization
import UndercroftCore

/// The state of one open connection: its cached statements, its monitors, its open transaction, and
/// its policy of waiting for locks.
final class ConnectionState {
  /// The connection of libsqlite3, which is freed after ``end()``.
  let raw: OpaquePointer
  /// The number of outermost uses of the connection that have ended; see ``endHandles()``.
  ///
  /// An outermost use is, for example, one read or write together with all reads and writes that
  /// are nested in it.
  private let endedUseCount = Atomic<UInt64>(0)
  private let authorizer = Authorizer()
  private let statements = StatementCache()
  private let transactions: TransactionStatements
  /// The object through which other threads interrupt the connection.
  let interrupts: InterruptTarget
  /// Whether a running closure owns the open transaction, which ends with that closure.
  // Only the thread that holds the connection accesses this property. The exclusivity check would
  // cost each statement more than the rest of the bookkeeping.
  @exclusivity(unchecked) var isInOwnTransaction = false
  /// The actions to run, and the changes to report, when the open transaction ends.
  @exclusivity(unchecked) var endActions = TransactionEndActions()
  @exclusivity(unchecked) var entryWrites = EntryWrites()
  /// The actions that run after the outermost use of the connection has ended.
  var actionsAfterUse: [@Sendable () -> Void] = []
  /// The error that a failed rollback threw, or `nil` if no rollback has failed.
  ///
  /// After such a failure, the open transaction can only be rolled back as a whole.
  @exclusivity(unchecked) var rollbackFailure: StorageError?
  /// The holder of the error that an SQL function, collation or tokenizer of this connection has
  /// thrown.
  let thrown = ThrownError()
  /// The policy by which the connection waits for locks of other connections.
  let busyPolicy: BusyPolicy
  /// The observers of the connection's statements.
  ///
  /// Usually there are no observers, and each statement only checks that the array is empty.
  // Each call reads this property several times, always on the thread that holds the connection.
  // The exclusivity check would cost more than the read.
  @exclusivity(unchecked) var monitors: [any StatementMonitor] = []
  /// Whether errors may contain the values that are bound to a statement; see
  /// ``DatabaseOptions/showsArguments``.
  var showsArguments = false
  /// The owner of the schema: the component that is allowed to change the columns of a table.
  var schemaOwner = SchemaOwner.tables
  /// The trace hook, which must live as long as the connection calls it.
  var traceHook: TraceHook?
  /// The metadata of the file when it was opened for reading without locks, or `nil` for a
  /// connection that uses locks.
  @exclusivity(unchecked) var immutableFile: FileFingerprint?
  /// The change recorder that the database's ``RowGate`` has installed on this connection, and the
  /// version of the gate for which it was installed.
  var gate = GateState()
  let schemaChecks: SchemaChecks
  /// The pool's count of schema changes when this reader last discarded its schema checks.
  ///
  /// The writer does not use this property.
  var knownSchemaChangeCount = 0
  private var schemaVersions: [Int64?]?
  @exclusivity(unchecked) private var hasChangedSchema = false

  /// Creates the state of a connection, and installs its busy handler and its authorizer.
  ///
  /// The connection must not outlive the state.
  init(of connection: OpaquePointer, lockTimeout: Duration) {
    raw = connection
    transactions = TransactionStatements(on: connection)
    schemaChecks = SchemaChecks(on: connection)
    interrupts = InterruptTarget(connection)
    busyPolicy = BusyPolicy(timeout: lockTimeout)
    busyPolicy.install(on: connection)
    authorizer.install(on: connection)
  }

  // MARK: Handles

  /// The number of the present outermost use of the connection, such as one read or write together
  /// with all reads and writes that are nested in it.
  ///
  /// Every valid ``Connection`` handle of this state has the same number.
  var useNumber: UInt64 { endedUseCount.load(ordering: .relaxed) }

  /// Returns a ``Connection`` handle that is valid during the present use of the connection, and
  /// that accepts writing statements only if `mayWrite` is `true`.
  func connection(mayWrite: Bool) -> Connection { Connection(self, mayWrite: mayWrite) }

  /// Invalidates every ``Connection`` that was created from this state before this call.
  ///
  /// Called when the outermost use of the connection ends, and before the connection is closed.
  func endHandles() { endedUseCount.add(1, ordering: .relaxed) }

  /// Whether a transaction is open on this connection. (`sqlite3_get_autocommit`)
  var isInTransaction: Bool { sqlite3_get_autocommit(raw) == 0 }

  // MARK: Statements

  /// Calls `body` with a cached or new statement for `sql`, and with the tables and columns that
  /// the statement reads and writes.
  @inline(__always)
  func withStatement<Result>(
    _ sql: String, isRun: Bool = true,
    _ body: (borrowing Statement, StatementAccess) throws -> Result
  ) throws -> Result {
    try thrown.requireRoom(for: sql, on: raw)
    if let entry = statements.checkOut(sql) {
      var statement = Statement(adopting: entry.statement)
      statement.setOwner(self, entry.access)
      do {
        let result = try body(statement, entry.access)
        _ = statement.release()
        statements.checkIn(entry)
        return result
      } catch {
        _ = statement.release()
        statements.checkIn(entry)
        throw error
      }
    }
    var statement = try prepare(sql, isRun: isRun)
    let access = authorizer.access
    statement.setOwner(self, access)
    // The change is recorded even if the statement fails.
    defer { if access.changesSchema { schemaDidChange() } }
    let generation = statements.generation
    // A new statement is cached only if its first run succeeds, and if the cache was not emptied
    // during that run: the same SQL may have another meaning since then.
    let result = try body(statement, access)
    if access.isCacheable, statements.generation == generation {
      statements.insert(statement.release(), access, for: sql)
    }
    return result
  }

  private func prepare(_ sql: String, isRun: Bool) throws(StorageError) -> Statement {
    do throws(StorageError) {
      let isRun = isRun && !SQLWhitespace.isExplanation(sql)
      return try authorizer.recordAccess(isRun: isRun) { () throws(StorageError) in
        try Statement(sql, on: raw)
      }
    } catch {
      forgetVerified(after: error)
      throw error
    }
  }

  /// Runs `body`, which compiles a statement of the caller, while the authorizer checks the
  /// statement.
  ///
  /// - Parameter isRun: whether the statement is run later, and not only inspected or explained.
  func recordingAccess<Result>(
    isRun: Bool = true, _ body: () throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    try authorizer.recordAccess(isRun: isRun, body)
  }

  /// Runs `body`, which sets up a new connection.
  ///
  /// `PRAGMA` statements are allowed to change the settings of the connection only while `body`
  /// runs.
  func settingUp(_ body: () throws -> Void) throws {
    authorizer.isSettingUp = true
    defer { authorizer.isSettingUp = false }
    try body()
  }

  /// Runs a statement that begins or ends a transaction or a savepoint.
  func run(_ control: TransactionControl) throws(StorageError) {
    if rollbackFailure != nil, control != .rollback { try requireSound() }
    schemaChecks.transactionWillBegin()
    // If actions still wait although no transaction is open, SQLite has rolled back by itself, as
    // it does on a full disk.
    if !endActions.isEmpty { runEndActions(isCommitted: false) }
    do throws(StorageError) {
      if control.isLocking, isAttached || isReading {
        try lockAll(control)
      } else {
        try transactions.run(control)
      }
    } catch {
      // A COMMIT that fails may have rolled back the whole transaction.
      didFail(nil, error)
      throw error
    }
    if hasChangedSchema { schemaMayBeUndone(by: control) }
    if !endActions.isEmpty {
      runEndActions(isCommitted: control == .commit || control == .release)
    }
    if monitors.isEmpty { return }
    for monitor in monitors { monitor.didRun(control) }
    if control.isBeginning { checkSchemaForMonitors() }
  }

  /// Runs the actions that wait for the end of the transaction, unless a transaction is still open.
  ///
  /// - Parameter isCommitted: whether the transaction was committed and not rolled back. The
  ///   actions receive this value.
  private func runEndActions(isCommitted: Bool) {
    guard sqlite3_get_autocommit(raw) != 0 else { return }
    run(endActions.remove(), isCommitted: isCommitted)
  }

  /// Ends the outermost use of the connection, and returns the actions that run after the
  /// connection has returned to the pool.
  ///
  /// The pool rolls back a transaction that is still open. Actions that wait for the end of that
  /// transaction are therefore run here as after a rollback.
  func endUse() -> [@Sendable () -> Void] {
    run(endActions.remove(), isCommitted: false)
    if actionsAfterUse.isEmpty { return [] }
    defer { actionsAfterUse = [] }
    return actionsAfterUse
  }

  private var isAttached: Bool { sqlite3_db_name(raw, 2) != nil }

  /// Whether the connection holds a read transaction, such as the transaction of a query whose rows
  /// are being iterated. (`sqlite3_txn_state`)
  private var isReading: Bool { sqlite3_txn_state(raw, nil) == SQLITE_TXN_READ }

  /// Begins a transaction that locks several files, or that begins during a read on the same
  /// connection.
  ///
  /// Another process may lock the files in another order, so that each process would wait for the
  /// other. To resolve such a deadlock, a connection that has waited for 5 to 50 ms releases all
  /// locks and tries again after a random back-off, until the lock timeout.
  ///
  /// During a read, SQLite does not call the busy handler, so this function waits itself. With a
  /// write-ahead log, this wait cannot cause a deadlock, because the writer that holds the lock
  /// does not wait for readers. If that writer commits, the snapshot of the read is outdated, and
  /// this function throws without waiting any longer. (`SQLITE_BUSY_SNAPSHOT`)
  private func lockAll(_ control: TransactionControl) throws(StorageError) {
    let deadline = ContinuousClock.now + busyPolicy.timeout
    defer { busyPolicy.patience = nil }
    while true {
      busyPolicy.patience = min(busyPolicy.timeout, .milliseconds(Int.random(in: 5...50)))
      do throws(StorageError) {
        return try transactions.run(control)
      } catch  where error.code == .locked && ContinuousClock.now < deadline {
        let isSnapshotOld = (error.underlying as? SQLiteError)?.code == .busySnapshot
        if isSnapshotOld || busyPolicy.interruption?.isCancelled == true { throw error }
        busyPolicy.stepBack()
      }
    }
  }

  /// Discards all compiled statements, and the records of all passed checks of the schema.
  func forgetStatements() {
    statements.removeAll()
    schemaChecks.removeAll()
  }

  /// Discards the records of all passed checks of the schema if the code of `error` is
  /// `SQLITE_ERROR`.
  ///
  /// SQLite reports this code, for example, if another program has dropped a column that the
  /// statement names.
  private func forgetVerified(after error: StorageError) {
    if SQLiteError.Code.error ~= error { schemaChecks.statementDidFail() }
  }

  /// Invalidates all ``Connection`` handles, ends interruptions, and finalizes every statement.
  ///
  /// Must be called before the connection is closed.
  func end() {
    endHandles()
    interrupts.end()
    statements.removeAll()
    transactions.removeAll()
    schemaChecks.end()
  }

  // MARK: Monitors

  /// Runs `body`, which uses a statement.
  ///
  /// Calls the monitors before `body`, when each monitor can refuse the statement, and after
  /// `body`. If a monitor can also refuse the statement afterwards, `body` runs in a savepoint.
  @inline(__always)
  func monitored<Result>(
    _ sql: SQL?, _ access: StatementAccess, _ body: () throws -> Result
  ) throws -> Result {
    if monitors.isEmpty { return try body() }
    return try monitoredByAll(sql, access, body)
  }

  private func monitoredByAll<Result>(
    _ sql: SQL?, _ access: StatementAccess, _ body: () throws -> Result
  ) throws -> Result {
    for monitor in monitors { try monitor.willRun(sql, access) }
    if monitors.contains(where: { $0.mayRefuseAfterwards(access) }) {
      return try refusably(access, body)
    }
    let result = try body()
    for monitor in monitors { try monitor.didRun(access) }
    return result
  }

  /// Runs `body` in a savepoint, so that a monitor that refuses the statement afterwards undoes
  /// only `body`.
  ///
  /// Outside of a transaction, the savepoint is a transaction by itself.
  private func refusably<Result>(
    _ access: StatementAccess, _ body: () throws -> Result
  ) throws -> Result {
    let isOutermost = !isInOwnTransaction
    if isOutermost, sqlite3_get_autocommit(raw) == 0 {
      throw pendingRollback ?? Connection.openBefore(on: databaseName)
    }
    let endActionCount = endActions.count
    try run(.savepoint)
    isInOwnTransaction = true
    defer { if isOutermost { isInOwnTransaction = false } }
    let result: Result
    do {
      result = try body()
      // SQLite may have rolled back by itself, and `body` may have caught that error.
      if sqlite3_get_autocommit(raw) != 0 { throw Connection.endedBefore(on: databaseName) }
    } catch {
      releaseAfterFailure(since: endActionCount)
      throw error
    }
    do {
      for monitor in monitors { try monitor.didRun(access) }
      try run(.release)
      return result
    } catch {
      rollBackSavepoint(since: endActionCount)
      throw error
    }
  }

  /// Calls the monitors before each run of a statement.
  ///
  /// - Throws: an error if the transaction has ended too early or must be rolled back, or if a
  ///   monitor refuses the run.
  func willStep(_ access: StatementAccess) throws(StorageError) {
    if rollbackFailure != nil { try requireSound() }
    // After some errors SQLite rolls back by itself. The statement would then commit by itself.
    if isInOwnTransaction, sqlite3_get_autocommit(raw) != 0 {
      throw Connection.endedBefore(on: databaseName)
    }
    if access.writesEntries { willWriteEntries(access) }
    if !monitors.isEmpty { for monitor in monitors { try monitor.willStep(access) } }
  }

  /// Calls the monitors after a statement has failed, and discards compiled statements and schema
  /// checks that may no longer match the schema.
  ///
  /// - Parameter access: the access of the statement; `nil` for a statement that begins or ends a
  ///   transaction.
  func didFail(_ access: StatementAccess?, _ error: StorageError) {
    forgetVerified(after: error)
    for monitor in monitors { monitor.didFail(access) }
    if hasChangedSchema, sqlite3_get_autocommit(raw) != 0 { schemaDidChange() }
  }

  // MARK: The schema

  /// Records a change of the schema, discards compiled statements, and notifies the monitors.
  ///
  /// A statement may now write to other tables, because its table may have gained or lost a
  /// trigger.
  private func schemaDidChange() {
    hasChangedSchema = true
    schemaChecks.countChange()
    forgetStatements()
    for monitor in monitors { monitor.schemaDidChange() }
  }

  /// Discards compiled statements if `control` may have rolled back a change of the schema.
  ///
  /// The rollback restores the version of the schema, but not the statements that were compiled for
  /// the changed schema.
  private func schemaMayBeUndone(by control: TransactionControl) {
    if control == .rollback || control == .rollbackTo { schemaDidChange() }
    if control == .rollback || control == .commit { hasChangedSchema = false }
  }

  /// Calls ``checkSchema()`` if any monitor depends on the tables that statements read and write.
  func checkSchemaForMonitors() {
    if monitors.contains(where: \.dependsOnSchema) { checkSchema() }
  }

  /// Discards compiled statements if another connection has changed the schema.
  ///
  /// When a discarded statement is compiled again, the authorizer records the tables and columns
  /// that the statement reads and writes in the changed schema.
  ///
  /// SQLite recompiles outdated statements by itself, but does not report the recompilation, so the
  /// recorded tables and columns would be outdated.
  func checkSchema() {
    let versions = Statement.numbers("schema_version", on: raw)
    if versions == schemaVersions { return }
    schemaVersions = versions
    // SQLite compiles a statement for the schema that it read last. The first step of this
    // statement finds the schema outdated, so that SQLite reads it again.
    _ = Statement.internalQuery("SELECT 1 FROM sqlite_schema LIMIT 1", on: raw) { _ in }
    forgetStatements()
    for monitor in monitors { monitor.schemaDidChange() }
  }
}
