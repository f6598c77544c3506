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

/// Which of a table's columns: a bit for each of the first 63, and one for all others.
struct ColumnMask: Sendable, Hashable {
  private(set) var bits: UInt64

  static let none = ColumnMask(bits: 0)
  static let all = ColumnMask(bits: .max)

  mutating func insert(_ position: Int) { bits |= Self.bit(position) }

  mutating func formUnion(_ other: ColumnMask) { bits |= other.bits }

  func isSubset(of other: ColumnMask) -> Bool { bits & ~other.bits == 0 }

  func names(of columns: [String]) -> Set<String> {
    Set(columns.indices.lazy.filter { bits & Self.bit($0) != 0 }.map { columns[$0] })
  }

  private static func bit(_ position: Int) -> UInt64 { 1 << UInt64(min(position, 63)) }
}
