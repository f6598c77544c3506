import CSQLite
import UndercroftCore

/// The monitor that records the changes of the writer connection, which are later reported to the
/// observers of the database.
///
/// The pre-update hook reports changed rows, including rows that `REPLACE` or a cascade changes and
/// rows in tables without rowid. The hook does not report changes of the schema and of virtual
/// tables. The recorder derives these changes from the tables that each statement writes. Without
/// the hook, the recorder derives all changes from these tables.
final class ChangeRecorder: StatementMonitor {
  private let connection: OpaquePointer
  private let observedTables: ObservedTables
  let hasHook: Bool
  private var tables: [WatchedTable] = []
  /// The index of each table in `tables`, or `nil` for a table that no observer watches.
  private var tableIndices: [ExactString: Int?] = [:]
  private var log = ChangeLog()
  private var last: (name: [CChar], database: [CChar], tableIndex: Int?)?

  init(on connection: OpaquePointer, for observedTables: ObservedTables, usesHook: Bool) {
    self.connection = connection
    self.observedTables = observedTables
    hasHook = usesHook && undercroft_sqlite_has_preupdate_hook() != 0
    if hasHook { installHook() }
  }

  /// Removes the hook from the connection, which must still be open.
  func remove() {
    if hasHook { _ = sqlite3_preupdate_hook(connection, nil, nil) }
  }

  /// Returns the changes that were committed since the last call, or `nil` if there are no changes,
  /// and clears the log.
  func removeChanges(from origin: Database.Origin) -> CommittedChanges? {
    // After this call, the connection pool rolls back a transaction that is still open. A
    // transaction whose end was not recorded was rolled back by SQLite itself.
    if log.isInTransaction || sqlite3_get_autocommit(connection) == 0 { log.rollBack() }
    if log.isEmpty { return nil }
    findShadowTables()
    defer { log = ChangeLog() }
    return CommittedChanges(origin: origin, tables: log.changes(of: tables))
  }

  /// Determines which of the changed tables are shadow tables, which only virtual tables write to.
  ///
  /// The pre-update hook cannot determine this, because the hook may not run a query.
  private func findShadowTables() {
    for index in tables.indices where !tables[index].isNamed && tables[index].isShadow == nil {
      // This works on a copy, as `willRun` does.
      let table = tables[index]
      let isShadow = table.findShadow(on: connection)
      tables[index].isShadow = tables[index].isNamed ? false : isShadow
    }
  }

  func schemaDidChange() {
    // The log refers to tables by their index, which therefore must not change. The log refers to
    // columns by their position, which may have changed.
    for tableIndex in tables.indices {
      tables[tableIndex].columns = []
      tables[tableIndex].isShadow = nil
    }
    log.includeAllColumns()
    last = nil
  }

  // MARK: Statements

  func willRun(_ sql: SQL?, _ access: StatementAccess) throws {
    for write in access.writes {
      guard let tableIndex = tableIndex(of: write.table), tables[tableIndex].columns.isEmpty else {
        continue
      }
      // This works on a copy: the queries of the schema are traced, and the caller's tracer may
      // call this function again.
      var table = tables[tableIndex]
      table.name = write.table
      table.readColumns(from: connection)
      (table.isNamed, table.isShadow) = (true, nil)
      tables[tableIndex] = table
    }
  }

  func willStep(_ access: StatementAccess) throws(StorageError) {
    if access.writes.isEmpty { return }
    log.begin(ObjectIdentifier(access))
    // The write is recorded before the run: if the run fails in an unknown way, too much is
    // reported rather than too little.
    for write in access.writes {
      guard let tableIndex = tableIndex(of: write.table) else { continue }
      if write.operation.isSchemaChange || !hasHook || tables[tableIndex].isVirtual {
        log.record(write.operation, of: tableIndex, mask(of: write, in: tables[tableIndex]))
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
      // The most serious errors roll back the whole transaction.
      log.rollBack()
    } else if let access, !access.writes.isEmpty, sqlite3_changes64(connection) == 0,
      sqlite3_extended_errcode(connection) != SQLITE_CONSTRAINT | 7 << 8
    {
      // The whole statement was undone. `OR FAIL` would have retained and counted the changes
      // before the error. `RAISE(FAIL)` in a trigger would have retained them without counting.
      log.undo(ObjectIdentifier(access))
    }
  }

  func didRun(_ control: TransactionControl) {
    switch control {
    case .begin, .beginImmediate, .beginExclusive, .savepoint: log.beginScope()
    case .commit, .release: log.release()
    case .rollbackTo: log.undo()
    case .rollback: log.rollBack()
    }
  }

  // MARK: Pre-update hook

  private func installHook() {
    let context = Unmanaged.passUnretained(self).toOpaque()
    _ = sqlite3_preupdate_hook(
      connection,
      { context, _, operation, database, table, oldID, newID in
        guard let context, let database, let table else { return }
        let recorder = Unmanaged<ChangeRecorder>.fromOpaque(context).takeUnretainedValue()
        recorder.record(operation, database, table, oldID, newID)
      }, context)
  }

  private func record(
    _ code: Int32, _ database: UnsafePointer<CChar>, _ table: UnsafePointer<CChar>,
    _ oldID: Int64, _ newID: Int64
  ) {
    guard let tableIndex = tableIndex(of: table, in: database) else { return }
    let operation: TableWrite.Operation =
      switch code {
      case SQLITE_INSERT: .insert
      case SQLITE_DELETE: .delete
      default: .update
      }
    let watched = tables[tableIndex]
    if log.contains(operation, of: tableIndex, .all), watched.detail == .columns { return }
    guard !watched.columns.isEmpty else { return log.record(operation, of: tableIndex, .all) }
    let rows = RowPair(connection: connection, count: watched.columns.count)
    // With generated columns, the positions in the hook do not match the positions of the columns.
    // A changed rowid may be the value of a column or of none.
    let isMoved = watched.key == nil && oldID != newID
    let isComparable = operation == .update && watched.hasPlainColumns && !isMoved
    let columns = isComparable ? rows.changedColumns : .all
    guard watched.detail == .rows else { return log.record(operation, of: tableIndex, columns) }
    let change = RowChange(
      operation, id: (oldID, newID), rows, key: watched.key, columns, of: watched.columns)
    log.record(change, of: tableIndex)
  }

  /// Returns the index of a table in `tables`, or `nil` if no observer watches the table.
  ///
  /// The result for the previous row is cached, because most rows are in the same table as the
  /// previous row.
  private func tableIndex(
    of table: UnsafePointer<CChar>, in database: UnsafePointer<CChar>
  ) -> Int? {
    if let last, sqlite3_stricmp(last.name, table) == 0,
      sqlite3_stricmp(last.database, database) == 0
    {
      return last.tableIndex
    }
    let (name, databaseName) = (String(cString: table), String(cString: database))
    let tableIndex = tableIndex(of: Authorizer.name(name, in: databaseName))
    last = (Array(name.utf8CString), Array(databaseName.utf8CString), tableIndex)
    return tableIndex
  }

  private func tableIndex(of table: String) -> Int? {
    let folded = table.folded
    if let known = tableIndices[folded] { return known }
    guard let detail = observedTables.detail(of: folded) else {
      tableIndices[folded] = .some(nil)
      return nil
    }
    tables.append(WatchedTable(name: table, detail: detail))
    tableIndices[folded] = tables.count - 1
    return tables.count - 1
  }
}
