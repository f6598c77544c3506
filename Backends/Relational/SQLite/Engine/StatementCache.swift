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
    var lastUse: UInt64 = 0

    init(_ statement: OpaquePointer, _ access: StatementAccess) {
      self.statement = statement
      self.access = access
    }
  }

  static let capacity = 64
  private let connection: OpaquePointer
  private let authorizer = Authorizer()
  private var entries: [String: Kept] = [:]
  private var controls = [OpaquePointer?](repeating: nil, count: Control.allCases.count)
  private var clock: UInt64 = 0
  private var schemaVersion: Int64?
  /// Who is told of the statements; nobody as a rule, which costs one look at an empty list.
  var monitors: [any StatementMonitor] = []
  /// Whether errors may tell the values of a statement.
  var showsArguments = false
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
      statement.cache = .passUnretained(self)
      do throws(Failure) {
        let result = try body(statement, kept.access)
        giveBack(statement.release(), to: kept)
        return result
      } catch {
        giveBack(statement.release(), to: kept)
        throw error
      }
    }
    let statement: Statement
    do throws(StorageError) {
      statement = try prepare(sql)
    } catch {
      throw wrap(error)
    }
    let access = authorizer.access
    // A statement that fails at its first run is finalized, not kept.
    let result = try body(statement, access)
    if access.changesSchema {
      // Others may have got or lost a trigger, and with it tables that they write.
      removeWaiting()
    } else {
      keep(statement.release(), access, for: sql)
    }
    return result
  }

  private func prepare(_ sql: String) throws(StorageError) -> Statement {
    var statement = try authorizer.attend { () throws(StorageError) in
      try Statement(sql, on: connection)
    }
    statement.cache = .passUnretained(self)
    return statement
  }

  /// A statement that was prepared by hand is about to be run.
  func willStep() throws(StorageError) {
    for monitor in monitors { try monitor.willStep() }
  }

  /// A statement has failed at its run.
  func didFail() {
    for monitor in monitors { monitor.didFail() }
  }

  private func giveBack(_ statement: OpaquePointer, to kept: Kept) {
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
      throw error
    }
    controls[place] = statement.releaseUnbound()
    if monitors.isEmpty { return }
    for monitor in monitors { monitor.didRun(control) }
    if control.isBeginning { checkSchema() }
  }

  /// Compiles everything anew when another connection has changed the schema, so that all is known that statements read and write.
  ///
  /// The library does so by itself, but tells nobody.
  func checkSchema() {
    var version: Int64?
    if let statement = try? Statement("PRAGMA schema_version", on: connection),
      (try? statement.step()) == true
    {
      version = sqlite3_column_int64(statement.raw, 0)
    }
    if version != nil, version == schemaVersion { return }
    schemaVersion = version
    // Statements are compiled by the schema as it was read last; this one is refused and makes the library read it again.
    if let look = try? Statement("SELECT 1 FROM sqlite_schema LIMIT 1", on: connection) {
      _ = try? look.step()
    }
    removeWaiting()
    for monitor in monitors { monitor.schemaDidChange() }
  }

  /// Finalizes the waiting statements, so that they are compiled anew when they are needed again.
  func removeWaiting() {
    for (sql, kept) in entries where !kept.isBusy {
      sqlite3_finalize(kept.statement)
      entries[sql] = nil
    }
  }

  /// Finalizes every statement, before the connection is closed.
  func removeAll() {
    for kept in entries.values { sqlite3_finalize(kept.statement) }
    for statement in controls { sqlite3_finalize(statement) }
    entries.removeAll()
    controls = controls.map { _ in nil }
  }
}
