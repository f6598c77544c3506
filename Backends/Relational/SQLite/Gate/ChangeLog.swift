import UndercroftCore

/// What an open transaction has changed so far, able to forget its last parts as they are undone.
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

  /// Who is interested in single rows is not in tens of thousands, and a long import must not fill the memory.
  static let rowLimit = 10_000

  private var entries: [Entry] = []
  private var marks: [Int] = []
  /// What is in the log of each table and operation, so that a table is not noted for every row of it.
  private var seen: [Key: ColumnMask] = [:]
  private var rowCounts: [Int: Int] = [:]
  /// The tables with an entry that names no row, so that their rows are not all known.
  private var unnamed: Set<Int> = []
  /// Where the last run of each statement began.
  private var starts: [ObjectIdentifier: Int] = [:]

  var isEmpty: Bool { entries.isEmpty }

  // MARK: Noting

  /// What follows may be done by this statement.
  mutating func begin(_ statement: ObjectIdentifier) { starts[statement] = entries.count }

  /// Whether noting these columns would say something new.
  func knows(_ operation: Operation, of table: Int, _ columns: ColumnMask) -> Bool {
    seen[Key(table: table, operation: operation)].map(columns.isSubset) ?? false
  }

  /// Notes that columns of a table were changed, of rows that are not known.
  mutating func note(_ operation: Operation, of table: Int, _ columns: ColumnMask) {
    // Entries of single rows say nothing of this one, and would be taken for all rows.
    let namesRows = rowCounts[table] != nil && !unnamed.contains(table)
    if namesRows || !knows(operation, of: table, columns) {
      add(operation, of: table, columns, nil)
    }
  }

  /// Notes that one row was changed, or only its table when there have been too many.
  mutating func note(_ row: RowChange, of table: Int) {
    let count = rowCounts[table, default: 0]
    rowCounts[table] = count + 1
    if count < Self.rowLimit {
      add(row.operation, of: table, row.columnMask, row)
    } else if count == Self.rowLimit || !knows(row.operation, of: table, row.columnMask) {
      // Says by itself that there were more.
      add(row.operation, of: table, row.columnMask, nil)
    }
  }

  private mutating func add(
    _ operation: Operation, of table: Int, _ columns: ColumnMask, _ row: RowChange?
  ) {
    entries.append(Entry(table: table, operation: operation, columns: columns, row: row))
    if row == nil { unnamed.insert(table) }
    seen[Key(table: table, operation: operation), default: .none].formUnion(columns)
  }

  /// The tables may have other columns now, so what was said of single ones is said of all.
  mutating func forgetColumns() {
    for place in entries.indices { entries[place].columns = .all }
    for key in seen.keys { seen[key] = .all }
  }

  // MARK: Undoing

  /// A part of the transaction begins.
  mutating func mark() { marks.append(entries.count) }

  /// The innermost part has become one with what is around it.
  mutating func release() { _ = marks.popLast() }

  /// The innermost part was undone; it is still to be released.
  mutating func undo() { truncate(to: marks.last ?? 0) }

  /// The last run of this statement was undone.
  mutating func undo(_ statement: ObjectIdentifier) {
    if let start = starts[statement] { truncate(to: start) }
  }

  /// The whole transaction was undone, if one was open, with all of its savepoints.
  mutating func abandon() {
    if let first = marks.first { truncate(to: first) }
    marks = []
  }

  var isInTransaction: Bool { !marks.isEmpty }

  private mutating func truncate(to count: Int) {
    guard count < entries.count else { return }
    entries.removeSubrange(count...)
    seen = [:]
    rowCounts = [:]
    unnamed = []
    for entry in entries {
      seen[Key(table: entry.table, operation: entry.operation), default: .none]
        .formUnion(entry.columns)
      if entry.row == nil {
        unnamed.insert(entry.table)
      } else {
        rowCounts[entry.table, default: 0] += 1
      }
    }
  }

  // MARK: Telling

  /// Returns what was changed, table by table in the order of their first changes.
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
      rows: rows.count == entries.count ? rows : nil)
  }
}
