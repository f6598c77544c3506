import UndercroftCore

/// What one transaction has changed in one table.
public struct TableChange: Sendable {
  /// The table as the schema spells it; with the database before it unless that is the main one.
  public let table: String
  /// What was done.
  public let operations: Set<TableWrite.Operation>
  /// The columns whose values may be others now; `nil` when that is not known, as for a table that was inserted into or dropped.
  public var columns: Set<String>? { columnNames.map { Set($0.lazy.map(\.text)) } }
  let columnNames: Set<ExactString>?
  /// The changed rows in the order of their changes; `nil` where nobody asked for them, they are too many, or cannot be known.
  public let rows: [RowChange]?
}
