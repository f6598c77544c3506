import UndercroftCore

/// One row that was inserted, updated or deleted.
public struct RowChange: Sendable, Equatable {
  /// The operation that changed the row.
  public let operation: TableWrite.Operation
  /// The rowid of the row after the change, or before a deletion; `nil` in a table `WITHOUT ROWID`.
  public let rowID: Int64?
  /// The rowid before an update that changed the rowid, or `nil` for any other change.
  public let previousRowID: Int64?
  /// The values of the primary key in a table `WITHOUT ROWID`, or `nil` in any other table.
  public let key: [SQLValue]?
  /// The values of the primary key before an update that changed these values, in a table
  /// `WITHOUT ROWID`; `nil` for any other change, and in any other table.
  public let previousKey: [SQLValue]?
  let columnMask: ColumnMask
  let columnNames: [String]

  /// The columns whose values may have changed.
  ///
  /// The set contains all columns if the row was inserted or deleted, or if the values before and
  /// after an update cannot be compared.
  public var columns: Set<String> { Set(changedNames.lazy.map(\.text)) }

  var changedNames: Set<ExactString> { columnMask.names(of: columnNames) }

  /// Creates a change from the values that the pre-update hook provides.
  ///
  /// - Parameter key: the positions of the primary-key columns in a table `WITHOUT ROWID`, or `nil`
  ///   in any other table.
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
