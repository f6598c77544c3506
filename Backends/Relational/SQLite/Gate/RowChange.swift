/// One row that was inserted, updated or deleted.
public struct RowChange: Sendable, Equatable {
  /// What was done to it.
  public let operation: TableWrite.Operation
  /// Its row id after the change, or before it was deleted; `nil` in a table `WITHOUT ROWID`.
  public let rowID: Int64?
  /// Its row id before the change where an update gave it another one.
  public let previousRowID: Int64?
  /// The values of its primary key, in a table `WITHOUT ROWID` alone.
  public let key: [SQLValue]?
  let columnMask: ColumnMask
  let columnNames: [String]

  /// The columns whose values are others now; all of them for a row that was inserted or deleted.
  public var columns: Set<String> { columnMask.names(of: columnNames) }
}
