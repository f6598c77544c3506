import UndercroftInspection

/// A buffer of the first rows of a table, which are passed on only after the file was found
/// unchanged, so that reading a small table can be repeated.
struct RowBuffer {
  private static let maximumCount = 2_000

  /// The names of the columns, or `nil` before they are known.
  var columns: [String]?
  private var rows: [[InspectedValue]] = []
  /// Whether rows were passed on.
  private(set) var hasBegun = false
  private var needsMore = true

  /// Adds a row, and returns whether more rows are needed.
  ///
  /// If the buffer is full, its rows are passed on.
  mutating func add(
    _ values: [InspectedValue], _ begin: ([String]) throws -> Void,
    _ row: ([InspectedValue]) throws -> Bool
  ) throws -> Bool {
    if !hasBegun {
      rows.append(values)
      return rows.count < Self.maximumCount ? true : try pass(begin, row)
    }
    needsMore = try row(values)
    return needsMore
  }

  /// Passes on the rows that are in the buffer at the end of the table.
  mutating func end(
    _ begin: ([String]) throws -> Void, _ row: ([InspectedValue]) throws -> Bool
  ) throws {
    if !hasBegun { _ = try pass(begin, row) }
  }

  private mutating func pass(
    _ begin: ([String]) throws -> Void, _ row: ([InspectedValue]) throws -> Bool
  ) throws -> Bool {
    hasBegun = true
    if let columns { try begin(columns) }
    for values in rows where needsMore { needsMore = try row(values) }
    rows = []
    return needsMore
  }
}
