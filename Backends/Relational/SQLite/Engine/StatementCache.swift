import CSQLite
import UndercroftCore

/// Prepared statements that wait for their SQL to be run again; at most a bound number of them.
///
/// A statement in use is not in the cache, so the same SQL nested in itself gets a second one.
final class StatementCache {
  /// Statements that begin or end a transaction, kept apart because every call needs them.
  enum Control: String, CaseIterable {
    case begin = "BEGIN"
    case beginWriting = "BEGIN IMMEDIATE"
    case commit = "COMMIT"
    case rollback = "ROLLBACK"
  }

  private struct Entry {
    let statement: OpaquePointer
    var lastUse: UInt64
  }

  static let capacity = 64
  private let connection: OpaquePointer
  private var entries: [String: Entry] = [:]
  private var controls: [Control: OpaquePointer] = [:]
  private var clock: UInt64 = 0

  init(of connection: OpaquePointer) {
    self.connection = connection
  }

  var count: Int { entries.count }

  /// Runs `body` with a statement for `sql`, waiting or new.
  func withStatement<Result, Failure: Error>(
    _ sql: String, orThrow wrap: (StorageError) -> Failure,
    _ body: (borrowing Statement) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let statement: Statement
    do throws(StorageError) { statement = try take(sql) } catch { throw wrap(error) }
    do throws(Failure) {
      let result = try body(statement)
      giveBack(statement.release(), for: sql)
      return result
    } catch {
      giveBack(statement.release(), for: sql)
      throw error
    }
  }

  private func take(_ sql: String) throws(StorageError) -> Statement {
    if let entry = entries.removeValue(forKey: sql) { return Statement(adopting: entry.statement) }
    return try Statement(sql, on: connection)
  }

  private func giveBack(_ statement: OpaquePointer, for sql: String) {
    clock &+= 1
    if let twin = entries.updateValue(Entry(statement: statement, lastUse: clock), forKey: sql) {
      sqlite3_finalize(twin.statement)
    }
    guard entries.count > Self.capacity else { return }
    if let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
      entries[oldest.key] = nil
      sqlite3_finalize(oldest.value.statement)
    }
  }

  /// Runs a statement that begins or ends a transaction.
  func run(_ control: Control) throws(StorageError) {
    let statement: Statement
    if let raw = controls.removeValue(forKey: control) {
      statement = Statement(adopting: raw)
    } else {
      statement = try Statement(control.rawValue, on: connection)
    }
    do throws(StorageError) {
      try statement.run()
    } catch {
      // A refused COMMIT must be reset before it can be run again, which giving it back does.
      controls[control] = statement.release()
      throw error
    }
    controls[control] = statement.release()
  }

  /// Finalizes every waiting statement.
  func removeAll() {
    for entry in entries.values { sqlite3_finalize(entry.statement) }
    for statement in controls.values { sqlite3_finalize(statement) }
    entries.removeAll()
    controls.removeAll()
  }
}
