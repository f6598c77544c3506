import UndercroftCore

/// The changes of one transaction in one table.
public struct TableChange: Sendable {
  /// The name of the table as in the schema, preceded by the name of its database, as in
  /// `archive.book`, unless that is the main database.
  public let table: String
  /// The operations on the table.
  public let operations: Set<TableWrite.Operation>
  /// The columns whose values may have changed, or `nil` if they are not known, as after an
  /// insertion or after the table was dropped.
  public var columns: Set<String>? { columnNames.map { Set($0.lazy.map(\.text)) } }
  let columnNames: Set<ExactString>?
  /// The changed rows in the order of their changes.
  ///
  /// It is `nil` if no observer needs single rows, if there are too many, or if not all are known.
  public let rows: [RowChange]?
}
