import UndercroftCore

/// The changes of one write in one table.
public struct TableChange: Sendable {
  /// The name of the table as in the schema, preceded by the name of its database, as in
  /// `archive.book`, unless that is the main database.
  public let table: String
  /// The kinds of operations that changed the table.
  public let operations: Set<TableWrite.Operation>
  /// The columns whose values may have changed, or `nil` if they are not known, as after an
  /// insertion or after the table was dropped.
  public var columns: Set<String>? { columnNames.map { Set($0.lazy.map(\.text)) } }
  let columnNames: Set<ExactString>?
  /// The changed rows in the order of their changes.
  ///
  /// The property is `nil` if no observer needs single rows, if more than 10,000 rows changed, or
  /// if not all changed rows are known.
  public let rows: [RowChange]?
}
