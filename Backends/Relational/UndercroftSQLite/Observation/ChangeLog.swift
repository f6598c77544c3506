import UndercroftCore

/// A log of the changes of one write.
///
/// If a statement, a savepoint or a transaction is rolled back, its changes are removed from the
/// log.
struct ChangeLog {
  typealias Operation = TableWrite.Operation

  private struct Entry {
    let table: Int
    let operation: Operation
    var columns: ColumnMask
    let row: RowChange?
  }

  private struct Key: Hashable {
    let table: Int
    let operation: Operation
  }

  /// The maximum number of rows that are recorded for each table.
  ///
  /// Observers of single rows do not need tens of thousands of rows, and a long import must not
  /// fill the memory.
  static let rowLimit = 10_000

  private var entries: [Entry] = []
  /// The number of log entries at the start of the transaction and of each open savepoint.
  private var scopeStarts: [Int] = []
  /// The columns in the log, keyed by table and operation, so that a table is not recorded again
  /// for each row.
  private var columnsByKey: [Key: ColumnMask] = [:]
  /// The number of changed rows of each table, keyed by the index of the table.
  private var rowCounts: [Int: Int] = [:]
  /// The indices of the tables that have an entry without a row.
  ///
  /// Some changed rows of these tables were not recorded.
  private var incompletelyRecorded: Set<Int> = []
  /// The index of the first log entry of the most recent run of each statement.
  private var statementStarts: [ObjectIdentifier: Int] = [:]

  var isEmpty: Bool { entries.isEmpty }

  // MARK: Recording

  /// Records that a run of `statement` begins.
  ///
  /// The changes that are recorded next belong to this run.
  mutating func begin(_ statement: ObjectIdentifier) { statementStarts[statement] = entries.count }

  /// Returns whether the log already contains all `columns` of a table for an operation.
  func contains(_ operation: Operation, of table: Int, _ columns: ColumnMask) -> Bool {
    columnsByKey[Key(table: table, operation: operation)].map(columns.isSubset) ?? false
  }

  /// Records that columns of a table were changed in unknown rows.
  mutating func record(_ operation: Operation, of table: Int, _ columns: ColumnMask) {
    // A table whose entries all name a row needs this entry in any case. Otherwise, those rows
    // would be reported as all changed rows.
    let namesRows = rowCounts[table] != nil && !incompletelyRecorded.contains(table)
    if namesRows || !contains(operation, of: table, columns) {
      add(operation, of: table, columns, nil)
    }
  }

  /// Records that one row of a table was changed.
  ///
  /// After ``rowLimit`` rows of the table, records only that the table was changed.
  mutating func record(_ row: RowChange, of table: Int) {
    let count = rowCounts[table, default: 0]
    rowCounts[table] = count + 1
    if count < Self.rowLimit {
      add(row.operation, of: table, row.columnMask, row)
    } else if count == Self.rowLimit || !contains(row.operation, of: table, row.columnMask) {
      // An entry without a row shows that there were more rows.
      add(row.operation, of: table, row.columnMask, nil)
    }
  }

  private mutating func add(
    _ operation: Operation, of table: Int, _ columns: ColumnMask, _ row: RowChange?
  ) {
    entries.append(Entry(table: table, operation: operation, columns: columns, row: row))
    if row == nil { incompletelyRecorded.insert(table) }
    columnsByKey[Key(table: table, operation: operation), default: .none].formUnion(columns)
  }

  /// Extends every entry to all columns, because the tables may now have different columns.
  mutating func includeAllColumns() {
    for index in entries.indices { entries[index].columns = .all }
    for key in columnsByKey.keys { columnsByKey[key] = .all }
  }

  // MARK: Rolling back

  /// Records the start of a transaction or savepoint.
  mutating func beginScope() { scopeStarts.append(entries.count) }

  /// Merges the innermost savepoint into its parent (`RELEASE`), or ends the transaction
  /// (`COMMIT`).
  mutating func release() { _ = scopeStarts.popLast() }

  /// Removes the changes of the innermost savepoint, which remains open (`ROLLBACK TO`).
  mutating func undo() { truncate(to: scopeStarts.last ?? 0) }

  /// Removes the changes of the last run of `statement`.
  mutating func undo(_ statement: ObjectIdentifier) {
    if let start = statementStarts[statement] { truncate(to: start) }
  }

  /// Removes the changes of the open transaction, if any, with all of its savepoints (`ROLLBACK`).
  mutating func rollBack() {
    if let first = scopeStarts.first { truncate(to: first) }
    scopeStarts = []
  }

  var isInTransaction: Bool { !scopeStarts.isEmpty }

  private mutating func truncate(to count: Int) {
    guard count < entries.count else { return }
    entries.removeSubrange(count...)
    columnsByKey = [:]
    rowCounts = [:]
    incompletelyRecorded = []
    for entry in entries {
      columnsByKey[Key(table: entry.table, operation: entry.operation), default: .none]
        .formUnion(entry.columns)
      if entry.row == nil {
        incompletelyRecorded.insert(entry.table)
      } else {
        rowCounts[entry.table, default: 0] += 1
      }
    }
  }

  // MARK: Reporting

  /// Returns the changes of each table, in the order in which the tables were first changed.
  func changes(of tables: [WatchedTable]) -> [TableChange] {
    var order: [Int] = []
    var grouped: [Int: [Entry]] = [:]
    for entry in entries {
      if grouped[entry.table] == nil { order.append(entry.table) }
      grouped[entry.table, default: []].append(entry)
    }
    return order.map { table in change(of: tables[table], grouped[table] ?? []) }
  }

  private func change(of table: WatchedTable, _ entries: [Entry]) -> TableChange {
    let operations = Set(entries.map(\.operation))
    var columns = ColumnMask.none
    for entry in entries { columns.formUnion(entry.columns) }
    let isKnown = operations == [.update] && columns != .all
    let rows = entries.compactMap(\.row)
    return TableChange(
      table: table.name, operations: operations,
      columnNames: isKnown ? columns.names(of: table.columns) : nil,
      rows: rows.count == entries.count ? rows : nil, isShadow: table.isShadow ?? false)
  }
}
