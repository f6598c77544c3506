import UndercroftCore

/// The changes of one write in one table, or in the observed rows of one table.
public struct TableChange: Sendable {
  /// The name of the table as in the schema.
  ///
  /// If the table is not in the main database, the name of its database precedes the name of the
  /// table: `archive.book`.
  public let table: String
  /// The kinds of operations that changed the table.
  public let operations: Set<TableWrite.Operation>
  /// The columns whose values may have changed, or `nil` if any column may have changed.
  ///
  /// Columns outside of the observed region are included. The value is `nil`, for example, if a row
  /// was inserted or deleted, or if the table was dropped.
  public var columns: Set<String>? { columnNames.map { Set($0.lazy.map(\.text)) } }
  let columnNames: Set<ExactString>?
  /// The changed rows in the order of their changes.
  ///
  /// The property is `nil` if the observer did not request ``ChangeDetail/rows``, if more than
  /// 10,000 rows of the table changed, or if not all changed rows are known.
  public let rows: [RowChange]?
  /// Whether this table contains the content of a virtual table, and only that virtual table has
  /// written to this table.
  let isShadow: Bool

  func withoutRows() -> TableChange {
    TableChange(
      table: table, operations: operations, columnNames: columnNames, rows: nil, isShadow: isShadow)
  }

  /// Returns a copy of this change that contains only the given rows.
  func limited(to rows: [RowChange]) -> TableChange {
    let operations = Set(rows.map(\.operation))
    let isKnown = operations == [.update] && rows.allSatisfy { $0.columnMask != .all }
    return TableChange(
      table: table, operations: operations,
      columnNames: isKnown
        ? rows.reduce(into: []) { names, row in names.formUnion(row.changedNames) } : nil,
      rows: rows, isShadow: isShadow)
  }
}
