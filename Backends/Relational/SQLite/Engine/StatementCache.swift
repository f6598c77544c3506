import CSQLite
import UndercroftCore

/// Prepared statements that wait for their SQL to be run again; at most a bound number of them.
///
/// A statement in use is not in the cache, so the same SQL nested in itself gets a second one.
final class StatementCache {
  /// Statements that begin or end a transaction, kept apart because every call needs them.
  enum Control: Int, CaseIterable {
    case begin, beginWriting, commit, rollback, savepoint, release, rollbackTo

    var sql: String {
      switch self {
      case .begin: "BEGIN"
      case .beginWriting: "BEGIN IMMEDIATE"
      case .commit: "COMMIT"
      case .rollback: "ROLLBACK"
      // One name for all: the innermost is meant.
      case .savepoint: "SAVEPOINT undercroft"
      case .release: "RELEASE undercroft"
      case .rollbackTo: "ROLLBACK TO undercroft"
      }
    }
  }

  /// A statement and whether it is in use; an object, so that giving it back needs no second search.
  private final class Kept {
    let statement: OpaquePointer
    var isBusy = false
    var lastUse: UInt64 = 0

    init(_ statement: OpaquePointer) { self.statement = statement }
  }

  static let capacity = 64
  private let connection: OpaquePointer
  private var entries: [String: Kept] = [:]
  private var controls = [OpaquePointer?](repeating: nil, count: Control.allCases.count)
  private var clock: UInt64 = 0

  init(of connection: OpaquePointer) {
    self.connection = connection
  }

  /// Runs `body` with a statement for `sql`, waiting or new.
  func withStatement<Result, Failure: Error>(
    _ sql: String, orThrow wrap: (StorageError) -> Failure,
    _ body: (borrowing Statement) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if let kept = entries[sql], !kept.isBusy {
      kept.isBusy = true
      let statement = Statement(adopting: kept.statement)
      do throws(Failure) {
        let result = try body(statement)
        giveBack(statement.release(), to: kept)
        return result
      } catch {
        giveBack(statement.release(), to: kept)
        throw error
      }
    }
    let statement: Statement
    do throws(StorageError) {
      statement = try Statement(sql, on: connection)
    } catch {
      throw wrap(error)
    }
    // A statement that fails at its first run is finalized, not kept.
    let result = try body(statement)
    keep(statement.release(), for: sql)
    return result
  }

  private func giveBack(_ statement: OpaquePointer, to kept: Kept) {
    clock &+= 1
    kept.lastUse = clock
    kept.isBusy = false
  }

  private func keep(_ statement: OpaquePointer, for sql: String) {
    guard entries[sql] == nil else {
      // Its twin was running, or came to be while this one ran.
      sqlite3_finalize(statement)
      return
    }
    if entries.count >= Self.capacity { removeOldest() }
    let kept = Kept(statement)
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
  }

  /// Finalizes every waiting statement.
  func removeAll() {
    for kept in entries.values { sqlite3_finalize(kept.statement) }
    for statement in controls { sqlite3_finalize(statement) }
    entries.removeAll()
    controls = controls.map { _ in nil }
  }
}
