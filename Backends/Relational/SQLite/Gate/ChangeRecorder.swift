import CSQLite
import UndercroftCore

/// Records what the writing connection changes, for those who observe it.
///
/// Rows are seen by the pre-update hook, which also tells of `REPLACE`, of cascades and of tables without row ids; what it
/// does not see, schema changes and virtual tables, by what each statement says it writes. That is all there is where the
/// library lacks the hook.
final class ChangeRecorder: StatementMonitor {
  private let connection: OpaquePointer
  private let interest: Interest
  let hasHook: Bool
  private var tables: [WatchedTable] = []
  /// The place of each table in `tables`, or `nil` for those that nobody watches.
  private var places: [ExactString: Int?] = [:]
  private var log = ChangeLog()
  private var last: (name: [CChar], database: [CChar], place: Int?)?

  init(on connection: OpaquePointer, for interest: Interest, usesHook: Bool) {
    self.connection = connection
    self.interest = interest
    hasHook = usesHook && undercroft_sqlite_has_preupdate_hook() != 0
    if hasHook { installHook() }
  }

  /// Takes the hook from the connection, which must be open still.
  func remove() {
    if hasHook { _ = sqlite3_preupdate_hook(connection, nil, nil) }
  }

  /// Returns what was committed since the last call, or `nil` for nothing, and begins anew.
  func take(from origin: Origin) -> CommittedChanges? {
    // The pool rolls back what is still open, after this. A transaction whose end was not reported was rolled back by SQLite itself.
    if log.isInTransaction || sqlite3_get_autocommit(connection) == 0 { log.abandon() }
    if log.isEmpty { return nil }
    defer { log = ChangeLog() }
    return CommittedChanges(origin: origin, tables: log.changes(of: tables))
  }

  func schemaDidChange() {
    // The log speaks of tables by their places, so those stay; and of columns by theirs, which may be others now.
    for place in tables.indices { tables[place].columns = [] }
    log.forgetColumns()
    last = nil
  }

  // MARK: What statements tell

  func willRun(_ sql: SQL?, _ access: StatementAccess) throws {
    for write in access.writes {
      guard let place = place(of: write.table), tables[place].columns.isEmpty else { continue }
      // A copy: looking at the schema is traced, and the caller's tracer might come here again.
      var table = tables[place]
      table.name = write.table
      table.learn(from: connection)
      tables[place] = table
    }
  }

  func willStep(_ access: StatementAccess) throws(StorageError) {
    if access.writes.isEmpty { return }
    log.begin(ObjectIdentifier(access))
    // Before it is run: whatever becomes of it later, it will have been told too much rather than too little.
    for write in access.writes {
      guard let place = place(of: write.table) else { continue }
      if write.operation.isSchemaChange || !hasHook || tables[place].isVirtual {
        log.note(write.operation, of: place, mask(of: write, in: tables[place]))
      }
    }
  }

  private func mask(of write: TableWrite, in table: WatchedTable) -> ColumnMask {
    guard write.operation == .update, !write.columnNames.isEmpty, table.hasPlainColumns else {
      return .all
    }
    var mask = ColumnMask.none
    for (position, column) in table.columns.enumerated()
    where write.columnNames.contains(column.exact) {
      mask.insert(position)
    }
    return mask
  }

  func didFail(_ access: StatementAccess?) {
    if log.isInTransaction, sqlite3_get_autocommit(connection) != 0 {
      // The gravest errors undo the whole transaction.
      log.abandon()
    } else if let access, !access.writes.isEmpty, sqlite3_changes64(connection) == 0,
      sqlite3_extended_errcode(connection) != SQLITE_CONSTRAINT | 7 << 8
    {
      // All of it was undone; `OR FAIL` would have kept, and counted, what came before, and a trigger's `RAISE(FAIL)` have kept it uncounted.
      log.undo(ObjectIdentifier(access))
    }
  }

  func didRun(_ control: TransactionControl) {
    switch control {
    case .begin, .beginImmediate, .beginExclusive, .savepoint: log.mark()
    case .commit, .release: log.release()
    case .rollbackTo: log.undo()
    case .rollback: log.abandon()
    }
  }

  // MARK: What the hook tells

  private func installHook() {
    let context = Unmanaged.passUnretained(self).toOpaque()
    _ = sqlite3_preupdate_hook(
      connection,
      { context, _, operation, database, table, oldID, newID in
        guard let context, let database, let table else { return }
        let recorder = Unmanaged<ChangeRecorder>.fromOpaque(context).takeUnretainedValue()
        recorder.see(operation, database, table, oldID, newID)
      }, context)
  }

  private func see(
    _ code: Int32, _ database: UnsafePointer<CChar>, _ table: UnsafePointer<CChar>,
    _ oldID: Int64, _ newID: Int64
  ) {
    guard let place = place(of: table, in: database) else { return }
    let operation: TableWrite.Operation =
      switch code {
      case SQLITE_INSERT: .insert
      case SQLITE_DELETE: .delete
      default: .update
      }
    let watched = tables[place]
    if log.knows(operation, of: place, .all), watched.detail == .columns { return }
    guard !watched.columns.isEmpty else { return log.note(operation, of: place, .all) }
    let rows = RowPair(connection: connection, count: watched.columns.count)
    // Where some are computed the positions are not those of the columns; and a row id is in no column, or in one.
    let isMoved = watched.key == nil && oldID != newID
    let isComparable = operation == .update && watched.hasPlainColumns && !isMoved
    let columns = isComparable ? rows.changedColumns : .all
    guard watched.detail == .rows else { return log.note(operation, of: place, columns) }
    let change = RowChange(
      operation, id: (oldID, newID), rows, key: watched.key, columns, of: watched.columns)
    log.note(change, of: place)
  }

  /// Most rows are of the same table as the one before.
  private func place(
    of table: UnsafePointer<CChar>, in database: UnsafePointer<CChar>
  ) -> Int? {
    if let last, sqlite3_stricmp(last.name, table) == 0,
      sqlite3_stricmp(last.database, database) == 0
    {
      return last.place
    }
    let (name, databaseName) = (String(cString: table), String(cString: database))
    let place = place(of: Authorizer.name(name, in: databaseName))
    last = (Array(name.utf8CString), Array(databaseName.utf8CString), place)
    return place
  }

  private func place(of table: String) -> Int? {
    let folded = table.folded
    if let known = places[folded] { return known }
    guard let detail = interest.detail(of: folded) else {
      places[folded] = .some(nil)
      return nil
    }
    tables.append(WatchedTable(name: table, detail: detail))
    places[folded] = tables.count - 1
    return tables.count - 1
  }
}
