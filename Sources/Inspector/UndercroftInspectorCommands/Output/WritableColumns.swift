import UndercroftCore
import UndercroftInspection

/// The columns of a table that an output format contains: all of them, or for the format `sql`
/// those that an `INSERT` statement can set.
struct WritableColumns {
  private let positions: [Int]?

  /// Selects the columns of a table.
  ///
  /// - Parameters:
  ///   - columns: the names of the columns of the rows.
  ///   - table: the table, or `nil` if it is unknown.
  ///   - format: the format of the output.
  init(_ columns: [String], of table: InspectedTable?, in format: OutputFormat) {
    let generated = Set((table?.generatedColumns ?? []).map { ExactString($0) })
    positions =
      format == .sql && !generated.isEmpty
      ? columns.indices.filter { !generated.contains(ExactString(columns[$0])) } : nil
  }

  /// Returns the elements of a row, or of its names, that belong to the columns.
  func selected<Element>(from row: [Element]) -> [Element] {
    positions.map { $0.map { row[$0] } } ?? row
  }
}
