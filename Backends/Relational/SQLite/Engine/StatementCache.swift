import CSQLite
import UndercroftCore

/// Prepared statements that wait for their SQL to be run again; at most a bound number of them.
///
/// A statement in use is not in the cache, so the same SQL nested in itself gets a second one.
final class StatementCache {
  /// Statements that begin or end a transaction, kept apart because every call needs them.
  enum Control: Int, CaseIterable {
    case begin, beginImmediate, beginExclusive, commit, rollback, savepoint, release, rollbackTo

    var sql: String {
      switch self {
      case .begin: "BEGIN"
      case .beginImmediate: "BEGIN IMMEDIATE"
      case .beginExclusive: "BEGIN EXCLUSIVE"
      case .commit: "COMMIT"
      case .rollback: "ROLLBACK"
      // One name for all: the innermost is meant.
      case .savepoint: "SAVEPOINT undercroft"
      case .release: "RELEASE undercroft"
      case .rollbackTo: "ROLLBACK TO undercroft"
      }
    }

    var isBeginning: Bool { self == .begin || self == .beginImmediate || self == .beginExclusive }
  }

  /// A statement and whether it is in use; an object, so that giving it back needs no second search.
  private final class Kept {
    let statement: OpaquePointer
    let access: StatementAccess
    var isBusy = false
    /// Whether it must go as soon as it is given back.
    var isOutdated = false
    var lastUse: UInt64 = 0

    init(_ statement: OpaquePointer, _ access: StatementAccess) {
      self.statement = statement
      self.access = access
    }
  }

  static let capacity = 64
  private let connection: OpaquePointer
  private let authorizer = Authorizer()
  /// What functions of this connection throw.
  let thrown = ThrownError()
  private var entries: [String: Kept] = [:]
  private var controls = [OpaquePointer?](repeating: nil, count: Control.allCases.count)
  private var clock: UInt64 = 0
  private var schemaVersions: [Int64?]?
  private var hasChangedSchema = false
  /// Who is told of the statements; nobody as a rule, which costs one look at an empty list.
  var monitors: [any StatementMonitor] = []
  /// Whether errors may tell the values of a statement.
  var showsArguments = false
  /// How the connection waits for others.
  var busyPolicy: BusyPolicy?
  /// Kept as long as the connection calls it.
  var traceHook: TraceHook?
  /// What the gate has asked of this connection.
  var gate = GateState()

  init(of connection: OpaquePointer) {
    self.connection = connection
    authorizer.install(on: connection)
  }

  /// Runs `body` with a statement for `sql`, waiting or new, and with what it reads and writes.
  func withStatement<Result, Failure: Error>(
    _ sql: String, orThrow wrap: (StorageError) -> Failure,
    _ body: (borrowing Statement, StatementAccess) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if let kept = entries[sql], !kept.isBusy {
      kept.isBusy = true
      var statement = Statement(adopting: kept.statement)
      statement.tell(self, kept.access)
      do throws(Failure) {
        let result = try body(statement, kept.access)
        giveBack(statement.release(), to: kept)
        return result
      } catch {
        giveBack(statement.release(), to: kept)
        throw error
      }
    }
    var statement: Statement
    do throws(StorageError) {
      statement = try authorizer.attend { () throws(StorageError) in
        try Statement(sql, on: connection)
      }
    } catch {
      throw wrap(error)
    }
    let access = authorizer.access
    statement.tell(self, access)
    // Whatever becomes of it.
    defer { if access.changesSchema { schemaDidChange() } }
    // A statement that fails at its first run is finalized, not kept.
    let result = try body(statement, access)
    if !access.changesSchema { keep(statement.release(), access, for: sql) }
    return result
  }

  /// Runs `body`, which compiles a statement of the caller's to look at it.
  func attending<Result>(
    _ body: () throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    try authorizer.attend(body)
  }

  /// Runs `body`, which uses a statement, when those who watch have been asked, and tells them afterwards.
  func monitored<Result>(
    _ sql: SQL?, _ access: StatementAccess, _ body: () throws -> Result
  ) throws -> Result {
    if monitors.isEmpty { return try body() }
    for monitor in monitors { try monitor.willRun(sql, access) }
    let result = try body()
    for monitor in monitors { try monitor.didRun(access) }
    return result
  }

  /// A statement is about to be run.
  func willStep(_ access: StatementAccess) throws(StorageError) {
    for monitor in monitors { try monitor.willStep(access) }
  }

  /// A statement has failed at its run; `nil` for one that begins or ends a transaction.
  func didFail(_ access: StatementAccess?) {
    for monitor in monitors { monitor.didFail(access) }
    if sqlite3_get_autocommit(connection) != 0 { schemaWasUndone() }
  }

  private func giveBack(_ statement: OpaquePointer, to kept: Kept) {
    if kept.isOutdated {
      sqlite3_finalize(statement)
      return
    }
    clock &+= 1
    kept.lastUse = clock
    kept.isBusy = false
  }

  private func keep(_ statement: OpaquePointer, _ access: StatementAccess, for sql: String) {
    guard entries[sql] == nil else {
      // Its twin was running, or came to be while this one ran.
      sqlite3_finalize(statement)
      return
    }
    if entries.count >= Self.capacity { removeOldest() }
    let kept = Kept(statement, access)
    entries[sql] = kept
    giveBack(statement, to: kept)
  }

  /// Statements in use stay, so that nothing that runs is ever finalized.
  private func removeOldest() {
    let waiting = entries.filter { !$0.value.isBusy }
    guard let oldest = waiting.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
    entries[oldest.key] = nil
    sqlite3_finalize(oldest.value.statement)
  }

  /// Runs a statement that begins or ends a transaction.
  func run(_ control: Control) throws(StorageError) {
    let place = control.rawValue
    let statement: Statement
    if let raw = controls[place] {
      statement = Statement(adopting: raw)
    } else {
      statement = try Statement(control.sql, on: connection)
    }
    // It has no values to clear. A refused COMMIT must be reset as well before it can be run again.
    do throws(StorageError) {
      while try statement.step() {}
    } catch {
      controls[place] = statement.releaseUnbound()
      // A COMMIT may have undone everything.
      didFail(nil)
      throw error
    }
    controls[place] = statement.releaseUnbound()
    if control == .rollback || control == .rollbackTo { schemaWasUndone() }
    if control == .rollback || control == .commit { hasChangedSchema = false }
    if monitors.isEmpty { return }
    for monitor in monitors { monitor.didRun(control) }
    if control.isBeginning { checkSchema() }
  }

  // MARK: The schema

  /// Statements may write other tables than they did, having got or lost a trigger.
  private func schemaDidChange() {
    hasChangedSchema = true
    removeWaiting()
    for monitor in monitors { monitor.schemaDidChange() }
  }

  /// The version of the schema is the same again, and what was compiled meanwhile is not.
  private func schemaWasUndone() {
    if hasChangedSchema { schemaDidChange() }
  }

  /// Compiles everything anew when another connection has changed the schema, so that all is known that statements read and write.
  ///
  /// The library does so by itself, but tells nobody.
  func checkSchema() {
    let versions = Statement.numbers("schema_version", on: connection)
    if versions == schemaVersions { return }
    schemaVersions = versions
    // Statements are compiled by the schema as it was read last; this one is refused and makes the library read it again.
    _ = Statement.aside("SELECT 1 FROM sqlite_schema LIMIT 1", on: connection) { _ in }
    removeWaiting()
    for monitor in monitors { monitor.schemaDidChange() }
  }

  /// Finalizes the statements, so that they are compiled anew when they are needed again; those in use when they are given back.
  func removeWaiting() {
    for kept in entries.values {
      if kept.isBusy { kept.isOutdated = true } else { sqlite3_finalize(kept.statement) }
    }
    entries.removeAll()
  }

  /// Finalizes every statement, before the connection is closed.
  func removeAll() {
    removeWaiting()
    for statement in controls { sqlite3_finalize(statement) }
    controls = controls.map { _ in nil }
  }
}
