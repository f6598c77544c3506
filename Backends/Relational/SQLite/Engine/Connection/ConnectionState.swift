import CSQLite
import UndercroftCore

/// What belongs to one open connection besides the library's own: its statements, who is told of them, how it waits.
final class ConnectionState {
  let raw: OpaquePointer
  private let authorizer = Authorizer()
  private let statements = StatementCache()
  private let transactions: TransactionStatements
  /// The connection as other threads see it, which may interrupt it.
  let interrupts: InterruptTarget
  /// Whether a closure is running that owns the open transaction, which ends with that closure.
  // Only the thread that has the connection comes here; the check would cost each statement more than the rest.
  @exclusivity(unchecked) var isInOwnTransaction = false
  /// What waits for the end of the open transaction.
  var endings = TransactionEndings()
  @exclusivity(unchecked) var entryWrites = EntryWrites()
  /// Actions that wait for the end of the outermost use of the connection.
  var actionsAfterUse: [@Sendable () -> Void] = []
  /// The error of a rollback that failed, because of which the open transaction can only be rolled back as a whole.
  @exclusivity(unchecked) var rollbackFailure: StorageError?
  /// What functions of this connection throw.
  let thrown = ThrownError()
  /// How the connection waits for others.
  let busyPolicy: BusyPolicy
  /// Who is told of the statements; nobody as a rule, which costs one look at an empty list.
  // Each call looks here several times, and only the thread that has the connection does; a check of that costs more than the look.
  @exclusivity(unchecked) var monitors: [any StatementMonitor] = []
  /// Whether errors may tell the values of a statement.
  var showsArguments = false
  /// Who may change the columns of a table.
  var schemaOwner = SchemaOwner.tables
  /// Kept as long as the connection calls it.
  var traceHook: TraceHook?
  /// The file as it was when the connection was opened to read it without locks; `nil` for every other connection.
  var immutableFile: FileFingerprint?
  /// What the gate has asked of this connection.
  var gate = GateState()
  /// What was seen to be in order, by its identity, as long as the schema stays as it is.
  private var marks: [ObjectIdentifier: AnyObject] = [:]
  /// The one asked for last, which most often is asked for again.
  @exclusivity(unchecked) private var lastMark: ObjectIdentifier?
  /// More are hardly declared, unless anew whenever they are asked for.
  private static let mostMarks = 1_024
  /// How often this connection has changed the schema.
  private(set) var schemaChangeCount = 0
  /// How often the writer had done so when this connection was used last; for a reader.
  var seenSchemaChangeCount = 0
  private var schemaVersions: [Int64?]?
  @exclusivity(unchecked) private var hasChangedSchema = false

  /// Installs itself on a connection, which must not outlive it.
  init(of connection: OpaquePointer, lockTimeout: Duration) {
    raw = connection
    transactions = TransactionStatements(on: connection)
    interrupts = InterruptTarget(connection)
    busyPolicy = BusyPolicy(timeout: lockTimeout)
    busyPolicy.install(on: connection)
    authorizer.install(on: connection)
  }

  // MARK: Statements

  /// Runs `body` with a statement for `sql`, waiting or new, and with what it reads and writes.
  func withStatement<Result, Failure: Error>(
    _ sql: String, isRun: Bool = true, orThrow wrap: (StorageError) -> Failure,
    _ body: (borrowing Statement, StatementAccess) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    do throws(StorageError) { try thrown.requireRoom(on: raw) } catch { throw wrap(error) }
    if let kept = statements.take(sql) {
      var statement = Statement(adopting: kept.statement)
      statement.tell(self, kept.access)
      do throws(Failure) {
        let result = try body(statement, kept.access)
        _ = statement.release()
        statements.giveBack(kept)
        return result
      } catch {
        _ = statement.release()
        statements.giveBack(kept)
        throw error
      }
    }
    var statement: Statement
    do throws(StorageError) {
      let isRun = isRun && !Blanks.isExplanation(sql)
      statement = try authorizer.attend(isRun: isRun) { () throws(StorageError) in
        try Statement(sql, on: raw)
      }
    } catch {
      forgetMarks(after: error)
      throw wrap(error)
    }
    let access = authorizer.access
    statement.tell(self, access)
    // Whatever becomes of it.
    defer { if access.changesSchema { schemaDidChange() } }
    let generation = statements.generation
    // A statement that fails at its first run is finalized, not kept; nor is one that would do something else by now.
    let result = try body(statement, access)
    if access.mayBeKept, statements.generation == generation {
      statements.keep(statement.release(), access, for: sql)
    }
    return result
  }

  /// Runs `body`, which compiles a statement of the caller's to look at it.
  func attending<Result>(
    isRun: Bool = true, _ body: () throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    try authorizer.attend(isRun: isRun, body)
  }

  /// Runs `body`, which makes the connection ready as every other one is made.
  func settingUp(_ body: () throws -> Void) throws {
    authorizer.isSettingUp = true
    defer { authorizer.isSettingUp = false }
    try body()
  }

  /// Runs a statement that begins or ends a transaction.
  func run(_ control: TransactionControl) throws(StorageError) {
    if rollbackFailure != nil, control != .rollback { try requireSound() }
    // SQLite has rolled back what is still undecided here by itself, as it does on a full disk.
    if !endings.isEmpty { decideEndings(isCommitted: false) }
    do throws(StorageError) {
      if control.isLocking, isAttached {
        try lockAll(control)
      } else {
        try transactions.run(control)
      }
    } catch {
      // A COMMIT may have undone everything.
      didFail(nil, error)
      throw error
    }
    if hasChangedSchema { schemaMayBeUndone(by: control) }
    if !endings.isEmpty {
      decideEndings(isCommitted: control == .commit || control == .release)
    }
    if monitors.isEmpty { return }
    for monitor in monitors { monitor.didRun(control) }
    if control.isBeginning { checkSchemaForMonitors() }
  }

  /// Runs the actions that wait for the end of the transaction, if none is open.
  private func decideEndings(isCommitted: Bool) {
    guard sqlite3_get_autocommit(raw) != 0 else { return }
    run(endings.take(), isCommitted: isCommitted)
  }

  /// Ends an outermost use, and returns the actions that run after the connection has returned to the pool.
  ///
  /// A transaction that is still open is rolled back by the pool.
  func endUse() -> [@Sendable () -> Void] {
    run(endings.take(), isCommitted: false)
    if actionsAfterUse.isEmpty { return [] }
    defer { actionsAfterUse = [] }
    return actionsAfterUse
  }

  private var isAttached: Bool { sqlite3_db_name(raw, 2) != nil }

  /// Begins a transaction that locks several files.
  ///
  /// Somebody else may lock them in another order, so that each would wait for the other: whoever has waited a little while lets go of all
  /// and tries again, not always after the same time.
  private func lockAll(_ control: TransactionControl) throws(StorageError) {
    let deadline = ContinuousClock.now + busyPolicy.timeout
    defer { busyPolicy.patience = nil }
    while true {
      busyPolicy.patience = min(busyPolicy.timeout, .milliseconds(Int.random(in: 5...50)))
      do throws(StorageError) {
        return try transactions.run(control)
      } catch  where error.code == .locked && ContinuousClock.now < deadline {
        if busyPolicy.interruption?.isCancelled == true { throw error }
        busyPolicy.stepBack()
      }
    }
  }

  /// Has every statement compiled anew.
  func forgetStatements() {
    statements.removeAll()
    forgetMarks()
  }

  /// Remembers that something about the schema has been seen to be in order.
  func mark(_ object: AnyObject) {
    if marks.count >= Self.mostMarks { forgetMarks() }
    marks[ObjectIdentifier(object)] = object
  }

  func isMarked(_ object: AnyObject) -> Bool {
    let mark = ObjectIdentifier(object)
    if mark == lastMark { return true }
    guard marks[mark] != nil else { return false }
    lastMark = mark
    return true
  }

  /// Has everything about the schema looked at anew.
  func forgetMarks() {
    marks.removeAll()
    lastMark = nil
  }

  /// Does so when a statement does not fit the schema, which another program may have changed.
  private func forgetMarks(after error: StorageError) {
    if (error.underlying as? SQLiteError)?.code == SQLITE_ERROR { forgetMarks() }
  }

  /// Finalizes every statement, before the connection is closed.
  func end() {
    interrupts.end()
    statements.removeAll()
    transactions.removeAll()
  }

  // MARK: Those who are told

  /// Runs `body`, which uses a statement, when those who watch have been asked, and tells them afterwards.
  func monitored<Result>(
    _ sql: SQL?, _ access: StatementAccess, _ body: () throws -> Result
  ) throws -> Result {
    if monitors.isEmpty { return try body() }
    for monitor in monitors { try monitor.willRun(sql, access) }
    if monitors.contains(where: { $0.mayRefuseAfterwards(access) }) {
      return try refusably(access, body)
    }
    let result = try body()
    for monitor in monitors { try monitor.didRun(access) }
    return result
  }

  /// Runs `body` in a savepoint, so that a refusal afterwards undoes `body` alone; outside of a transaction the savepoint is one.
  private func refusably<Result>(
    _ access: StatementAccess, _ body: () throws -> Result
  ) throws -> Result {
    let isOutermost = !isInOwnTransaction
    if isOutermost, sqlite3_get_autocommit(raw) == 0 {
      throw pendingRollback ?? Connection.openBefore
    }
    let endingCount = endings.count
    try run(.savepoint)
    isInOwnTransaction = true
    defer { if isOutermost { isInOwnTransaction = false } }
    let result: Result
    do {
      result = try body()
      // SQLite may have rolled back by itself, and the closure may have caught that error.
      if sqlite3_get_autocommit(raw) != 0 { throw Connection.endedBefore }
    } catch {
      releaseAfterFailure(since: endingCount)
      throw error
    }
    do {
      for monitor in monitors { try monitor.didRun(access) }
      try run(.release)
      return result
    } catch {
      rollBackSavepoint(since: endingCount)
      throw error
    }
  }

  /// A statement is about to be run.
  func willStep(_ access: StatementAccess) throws(StorageError) {
    if rollbackFailure != nil { try requireSound() }
    // After some errors SQLite rolls back by itself; the statement would then commit alone.
    if isInOwnTransaction, sqlite3_get_autocommit(raw) != 0 { throw Connection.endedBefore }
    if access.writesEntries { willWriteEntries(access) }
    for monitor in monitors { try monitor.willStep(access) }
  }

  /// A statement has failed at its run; `nil` for one that begins or ends a transaction.
  func didFail(_ access: StatementAccess?, _ error: StorageError) {
    forgetMarks(after: error)
    for monitor in monitors { monitor.didFail(access) }
    if hasChangedSchema, sqlite3_get_autocommit(raw) != 0 { schemaDidChange() }
  }

  // MARK: The schema

  /// Statements may write other tables than they did, having got or lost a trigger.
  private func schemaDidChange() {
    hasChangedSchema = true
    schemaChangeCount &+= 1
    forgetStatements()
    for monitor in monitors { monitor.schemaDidChange() }
  }

  /// After an undoing the version of the schema is the same again, and what was compiled meanwhile is not.
  private func schemaMayBeUndone(by control: TransactionControl) {
    if control == .rollback || control == .rollbackTo { schemaDidChange() }
    if control == .rollback || control == .commit { hasChangedSchema = false }
  }

  /// Does ``checkSchema()`` where there is anybody for whom it matters.
  func checkSchemaForMonitors() {
    if monitors.contains(where: \.goesByTables) { checkSchema() }
  }

  /// Compiles everything anew when another connection has changed the schema, so that all is known that statements read and write.
  ///
  /// The library does so by itself, but tells nobody.
  func checkSchema() {
    let versions = Statement.numbers("schema_version", on: raw)
    if versions == schemaVersions { return }
    schemaVersions = versions
    // Statements are compiled by the schema as it was read last; this one is refused and makes the library read it again.
    _ = Statement.aside("SELECT 1 FROM sqlite_schema LIMIT 1", on: raw) { _ in }
    forgetStatements()
    for monitor in monitors { monitor.schemaDidChange() }
  }
}
