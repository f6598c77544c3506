import CSQLite
import UndercroftCore

/// The checks of the schema that have passed on one connection, such as the comparison of a table
/// with its declaration.
///
/// If this or another connection changes the schema, all checks must be made again. Only writes
/// compare the version of the schema with the version for which the checks have passed. Reads omit
/// the comparison, because it would make a read by key about 5 % slower. The first read after
/// another connection has dropped a column or a table therefore fails.
final class SchemaChecks {
  /// The maximum number of checks that are recorded as passed.
  ///
  /// An application declares fewer tables, unless it creates a new declaration at each use.
  private static let maximumCount = 1_024

  private let connection: OpaquePointer
  /// The objects that identify the checks that have passed, keyed by the identity of the object.
  ///
  /// Such an object is, for example, the definition of a table. The object is stored so that it is
  /// not released. After a release, a new object could get the same `ObjectIdentifier`, and its
  /// check would be considered passed.
  private var passed: [ObjectIdentifier: AnyObject] = [:]
  // Only the thread that holds the connection accesses these properties. The exclusivity checks
  // would cost each statement more than the rest of this class.
  /// The identity of the object that ``hasPassed(_:mayWrite:)`` found last.
  ///
  /// Consecutive statements usually use the same table.
  @exclusivity(unchecked) private var last: ObjectIdentifier?
  /// Whether ``compareVersionOnce()`` has compared the version of the schema in the open
  /// transaction.
  @exclusivity(unchecked) private var hasComparedVersion = false
  /// The version of the schema for which the checks have passed, or `nil` if it is unknown.
  private var version: Int64?
  /// The statement that reads the version, or `nil` before its first use.
  private var versionStatement: OpaquePointer?
  /// The number of schema changes that this connection has made or noticed.
  @exclusivity(unchecked) private(set) var changeCount = 0

  init(on connection: OpaquePointer) { self.connection = connection }

  /// Records that a check, identified by `object`, has passed.
  func markPassed(_ object: AnyObject) {
    if passed.count >= Self.maximumCount { removeAll() }
    if passed.isEmpty { version = readVersion() }
    passed[ObjectIdentifier(object)] = object
  }

  /// Returns whether the check that `object` identifies has passed for the present schema.
  ///
  /// If `mayWrite` is `false`, this function does not check whether the version of the schema has
  /// changed. Another connection may therefore have changed the schema since the check passed.
  func hasPassed(_ object: AnyObject, mayWrite: Bool) -> Bool {
    if mayWrite { compareVersionOnce() }
    let identity = ObjectIdentifier(object)
    if identity == last { return true }
    guard passed[identity] != nil else { return false }
    last = identity
    return true
  }

  /// Discards the record of all passed checks, so that the checks are made again.
  func removeAll() {
    passed.removeAll()
    (version, last) = (nil, nil)
  }

  /// Calls ``compareVersion()``, unless the open transaction has compared the version already.
  ///
  /// One comparison suffices, because the schema that a transaction sees does not change.
  ///
  /// In a deferred transaction that has not read or written yet, this function does nothing, for
  /// the following reason. The comparison would be the first read of the transaction. After a read,
  /// the first write of a transaction does not wait for the write lock, but fails immediately if
  /// another connection holds it. ``TransactionScope`` therefore compares the version before it
  /// begins a deferred transaction.
  private func compareVersionOnce() {
    if hasComparedVersion, isInTransaction { return }
    if !isDeferred { compareVersion() }
  }

  private var isInTransaction: Bool { sqlite3_get_autocommit(connection) == 0 }

  /// Whether the open transaction has neither read nor written.
  private var isDeferred: Bool {
    isInTransaction && sqlite3_txn_state(connection, "main") == SQLITE_TXN_NONE
  }

  /// Discards the record of all passed checks if another connection has changed the schema.
  ///
  /// The next statement that uses a table then checks the table again. Without the comparison, a
  /// check that passed before the change would not be repeated. SQLite would compile the statement
  /// for the changed schema, and the statement would fail if one of its columns no longer exists.
  func compareVersion() {
    guard !passed.isEmpty, let current = readVersion() else { return }
    hasComparedVersion = true
    if current == version { return }
    countChange()
    removeAll()
  }

  /// Counts a change of the schema, so that the readers of the pool discard the record of their
  /// passed checks.
  func countChange() { changeCount &+= 1 }

  /// Discards the record of all passed checks, because a change of the schema may have caused the
  /// failure of a statement.
  ///
  /// If the version of the schema has changed, also counts the change, so that the other readers of
  /// the pool do not fail as well.
  func statementDidFail() {
    if !isDeferred { compareVersion() }
    removeAll()
  }

  /// Causes the transaction that is about to begin to compare the version of the schema again.
  ///
  /// Does nothing for a nested transaction, which sees the same schema as the outer transaction.
  func transactionWillBegin() {
    if !isInTransaction { hasComparedVersion = false }
  }

  /// Finalizes the statement that reads the version.
  ///
  /// Must be called before the connection is closed.
  func end() {
    sqlite3_finalize(versionStatement)
    versionStatement = nil
  }

  /// Returns the version of the main database's schema, or `nil` if it cannot be read.
  /// (`PRAGMA schema_version`)
  private func readVersion() -> Int64? {
    if versionStatement == nil {
      versionStatement = try? Statement("PRAGMA main.schema_version", on: connection).release()
    }
    guard let versionStatement else { return nil }
    defer { sqlite3_reset(versionStatement) }
    guard sqlite3_step(versionStatement) == SQLITE_ROW else { return nil }
    return sqlite3_column_int64(versionStatement, 0)
  }
}
