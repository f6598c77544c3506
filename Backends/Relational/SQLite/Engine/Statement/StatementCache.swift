import CSQLite
import UndercroftCore

/// Prepared statements that wait for their SQL to be run again; at most a bound number of them.
///
/// A statement in use is lent to nobody else, so the same SQL nested in itself gets a second one.
final class StatementCache {
  /// A statement and whether it is in use; an object, so that giving it back needs no second search.
  final class Kept {
    let statement: OpaquePointer
    let access: StatementAccess
    fileprivate var isBusy = false
    /// Whether it must go as soon as it is given back.
    fileprivate var isOutdated = false
    fileprivate var lastUse: UInt64 = 0

    fileprivate init(_ statement: OpaquePointer, _ access: StatementAccess) {
      self.statement = statement
      self.access = access
    }
  }

  static let capacity = 64
  private var entries: [ExactString: Kept] = [:]
  /// The one that was lent last: of a literal that comes again nothing has to be hashed.
  private var last: (sql: String, kept: Kept)?
  private var clock: UInt64 = 0
  /// How many times it was emptied: what was compiled before may mean something else now.
  private(set) var generation = 0

  /// Lends the statement that waits for this SQL, if there is one; it must be given back.
  func take(_ sql: String) -> Kept? {
    if let last, last.sql.isExactly(sql) {
      if last.kept.isBusy { return nil }
      last.kept.isBusy = true
      return last.kept
    }
    guard let kept = entries[sql.exact], !kept.isBusy else { return nil }
    kept.isBusy = true
    last = (sql, kept)
    return kept
  }

  /// Takes a statement back that was lent.
  func giveBack(_ kept: Kept) {
    if kept.isOutdated {
      sqlite3_finalize(kept.statement)
      return
    }
    clock &+= 1
    kept.lastUse = clock
    kept.isBusy = false
  }

  /// Keeps a new statement, or finalizes it where there is one of the same SQL.
  func keep(_ statement: OpaquePointer, _ access: StatementAccess, for sql: String) {
    let key = sql.exact
    guard entries[key] == nil else {
      // Its twin was running, or came to be while this one ran.
      sqlite3_finalize(statement)
      return
    }
    if entries.count >= Self.capacity { removeOldest() }
    let kept = Kept(statement, access)
    entries[key] = kept
    giveBack(kept)
  }

  /// Statements in use stay, so that nothing that runs is ever finalized.
  private func removeOldest() {
    let waiting = entries.filter { !$0.value.isBusy }
    guard let oldest = waiting.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
    entries[oldest.key] = nil
    last = nil
    sqlite3_finalize(oldest.value.statement)
  }

  /// Finalizes the statements, so that they are compiled anew when they are needed again; those in use when they are given back.
  func removeAll() {
    for kept in entries.values {
      if kept.isBusy { kept.isOutdated = true } else { sqlite3_finalize(kept.statement) }
    }
    entries.removeAll()
    last = nil
    generation &+= 1
  }
}
