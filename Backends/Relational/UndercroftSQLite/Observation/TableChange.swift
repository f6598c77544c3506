import UndercroftCore

/// The changes of one write in one table, or in the observed rows of one table.
public struct TableChange: Sendable {
  /// The name of the table as in the schema, preceded by the name of its database, as in
  /// `archive.book`, unless that is the main database.
  public let table: String
  /// The kinds of operations that changed the table.
  public let operations: Set<TableWrite.Operation>
  /// The columns whose values may have changed, including those outside of the observed region, or
  /// `nil` if they are not known, as after an insertion or after the table was dropped.
  public var columns: Set<String>? { columnNames.map { Set($0.lazy.map(\.text)) } }
  let columnNames: Set<ExactString>?
  /// The changed rows in the order of their changes.
  ///
  /// The property is `nil` if the observer did not ask for ``ChangeDetail/rows``, if more than
  /// 10,000 rows of the table changed, or if not all changed rows are known.
  public let rows: [RowChange]?
  /// Whether only a virtual table has written to this table, which contains its content.
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
