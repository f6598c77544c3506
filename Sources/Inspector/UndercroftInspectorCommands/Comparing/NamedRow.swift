import UndercroftCore
import UndercroftInspection

/// The values of a row with the names of their columns.
///
/// The same table can have other columns in another store, or the same columns in another order.
struct NamedRow {
  let columns: [String]
  let values: [InspectedValue]

  init(_ columns: [String], _ values: [InspectedValue]) {
    self.columns = columns
    self.values = values
  }

  /// Returns the values in the order of other columns, followed by the values of all columns that
  /// are not among them.
  func values(inOrderOf others: [String]) -> [InspectedValue] {
    guard columns != others else { return values }
    var rest = members
    let known = others.compactMap { rest.removeValue(forKey: ExactString($0)) }
    return known + rest.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Returns the columns in which this row and another one differ, with the values of both.
  ///
  /// A column that only one of the rows has is only in the result for this row.
  func differences(from other: NamedRow) -> (before: NamedRow, after: NamedRow) {
    (without(other.members), other.without(members))
  }

  /// Returns the value of a column, or `nil` if the row does not have the column.
  func value(of column: String) -> InspectedValue? {
    columns.firstIndex { $0.isExactly(column) }.map { values[$0] }
  }

  private func without(_ others: [ExactString: InspectedValue]) -> NamedRow {
    let changed = zip(columns, values).filter { others[ExactString($0)] != $1 }
    return NamedRow(changed.map(\.0), changed.map(\.1))
  }

  private var members: [ExactString: InspectedValue] {
    Dictionary(zip(columns.map { ExactString($0) }, values)) { first, _ in first }
  }
}
