import CSQLite
import UndercroftCore

/// A cache of limited size for prepared statements, keyed by their SQL.
///
/// A statement that is in use is not checked out again. If the same SQL is run while the rows of
/// its first run are still being read, a second statement is prepared.
final class StatementCache {
  /// A cached statement, and whether it is in use.
  ///
  /// `Entry` is a class, so that returning the statement to the cache needs no second search.
  final class Entry {
    let statement: OpaquePointer
    let access: StatementAccess
    fileprivate var isBusy = false
    /// Whether the statement must be finalized as soon as it is returned to the cache.
    fileprivate var isOutdated = false
    fileprivate var lastUse: UInt64 = 0

    fileprivate init(_ statement: OpaquePointer, _ access: StatementAccess) {
      self.statement = statement
      self.access = access
    }
  }

  static let capacity = 64
  private var entries: [ExactString: Entry] = [:]
  /// The statement that was checked out last, and its SQL.
  ///
  /// If the same SQL is checked out again, no string has to be hashed.
  private var last: (sql: String, entry: Entry)?
  private var clock: UInt64 = 0
  /// The number of times that the cache was emptied.
  ///
  /// A statement that was compiled before the cache was emptied may have another meaning now.
  private(set) var generation = 0

  /// Returns the cached statement for `sql`, or `nil` if there is no such statement or the
  /// statement is in use.
  ///
  /// The caller must return the statement with ``checkIn(_:)``.
  func checkOut(_ sql: String) -> Entry? {
    if let last, last.sql.isExactly(sql) {
      if last.entry.isBusy { return nil }
      last.entry.isBusy = true
      return last.entry
    }
    guard let entry = entries[sql.exact], !entry.isBusy else { return nil }
    entry.isBusy = true
    last = (sql, entry)
    return entry
  }

  /// Returns a statement to the cache, or finalizes it if it is outdated.
  func checkIn(_ entry: Entry) {
    if entry.isOutdated {
      sqlite3_finalize(entry.statement)
      return
    }
    clock &+= 1
    entry.lastUse = clock
    entry.isBusy = false
  }

  /// Adds a new statement to the cache, or finalizes it if the cache has a statement for the same
  /// SQL.
  func insert(_ statement: OpaquePointer, _ access: StatementAccess, for sql: String) {
    let key = sql.exact
    guard entries[key] == nil else {
      // Another statement of the same SQL was in use, or was added while this one ran.
      sqlite3_finalize(statement)
      return
    }
    if entries.count >= Self.capacity { removeOldest() }
    let entry = Entry(statement, access)
    entries[key] = entry
    checkIn(entry)
  }

  /// Finalizes the least recently used statement.
  ///
  /// Statements in use are exempt, so that a running statement is never finalized.
  private func removeOldest() {
    let waiting = entries.filter { !$0.value.isBusy }
    guard let oldest = waiting.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
    entries[oldest.key] = nil
    last = nil
    sqlite3_finalize(oldest.value.statement)
  }

  /// Empties the cache, so that each statement is compiled again at its next use.
  ///
  /// Finalizes the statements. Statements in use are finalized when they are returned.
  func removeAll() {
    for entry in entries.values {
      if entry.isBusy { entry.isOutdated = true } else { sqlite3_finalize(entry.statement) }
    }
    entries.removeAll()
    last = nil
    generation &+= 1
  }
}
