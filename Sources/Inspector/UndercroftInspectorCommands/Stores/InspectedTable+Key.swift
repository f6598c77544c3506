import UndercroftInspection

extension InspectedTable {
  /// Returns the values of the primary key as text, or `nil` if the table has no primary key.
  ///
  /// - Parameters:
  ///   - row: the values of the row.
  ///   - columns: the names of the columns of the row.
  func key(of row: [InspectedValue], _ columns: [String]) -> String? {
    let positions = keyColumns.compactMap { columns.firstIndex(of: $0) }
    guard !positions.isEmpty, positions.count == keyColumns.count else { return nil }
    return positions.map { ResultValue(row[$0]).field }.joined(separator: ", ")
  }
}
