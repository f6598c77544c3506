import UndercroftCore

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
  /// The values that its primary key had where an update gave it others, in a table `WITHOUT ROWID` alone.
  public let previousKey: [SQLValue]?
  let columnMask: ColumnMask
  let columnNames: [String]

  /// The columns whose values are others now; all of them for a row that was inserted or deleted.
  public var columns: Set<String> { Set(changedNames.lazy.map(\.text)) }

  var changedNames: Set<ExactString> { columnMask.names(of: columnNames) }

  /// Makes it from what the pre-update hook shows.
  ///
  /// - Parameter key: the positions of the primary key, in a table `WITHOUT ROWID` alone.
  init(
    _ operation: TableWrite.Operation, id: (old: Int64, new: Int64), _ rows: RowPair, key: [Int]?,
    _ columns: ColumnMask, of names: [String]
  ) {
    self.operation = operation
    columnMask = columns
    columnNames = names
    let isUpdate = operation == .update
    guard let positions = key else {
      (rowID, previousRowID) = (
        operation == .delete ? id.old : id.new, isUpdate && id.old != id.new ? id.old : nil
      )
      (self.key, previousKey) = (nil, nil)
      return
    }
    (rowID, previousRowID) = (nil, nil)
    let new = rows.values(at: positions, isOld: operation == .delete)
    let old = isUpdate ? rows.values(at: positions, isOld: true) : new
    self.key = new
    previousKey = old == new ? nil : old
  }
}
