/// An encoder of rows as columns that are aligned with spaces.
///
/// The widths of the columns are those of the first rows. A later, wider cell shifts the rest of
/// its line. If a line would be wider than the terminal, the widest columns are shortened.
struct TableRowEncoder: RowEncoder {
  /// The number of rows that determine the widths of the columns.
  private static let measuredRows = 1_000
  private static let gap = 2

  private let options: OutputOptions
  private var header: [String] = []
  private var roles: [ColumnRole] = []
  private var measured: [[ResultValue]] = []
  private var widths: [Int]?
  private var isNumeric: [Bool] = []

  init(_ options: OutputOptions) { self.options = options }

  mutating func begin(_ columns: [String]) -> String {
    header = columns.map { ValueText.safe($0) }
    // The columns of an application have names of its choice, which do not determine their meaning.
    roles = columns.map { options.isTabular ? .other : ColumnRole(column: $0) }
    return ""
  }

  mutating func encode(_ row: [ResultValue]) -> String {
    guard widths == nil else { return line(row) }
    measured.append(row)
    return measured.count < Self.measuredRows ? "" : flush()
  }

  mutating func end() -> String { widths == nil ? flush() : "" }

  /// Determines the widths, and returns the text of the header and the stored rows.
  private mutating func flush() -> String {
    // The result of a query has a header even if it has no rows.
    if measured.isEmpty, !options.isTabular { return "" }
    let cells = measured.map { $0.map(\.brief) }
    isNumeric = header.indices.map { column in
      if roles[column] == .quantity { return true }
      let values = measured.map { $0[column] }.filter { ![.absent, .null].contains($0) }
      return !values.isEmpty && values.allSatisfy(\.isNumber)
    }
    let cellWidths = header.indices.map { column in
      cells.reduce(0) { max($0, DisplayWidth.of($1[column])) }
    }
    let widths = header.indices.map { column in
      max(cellWidths[column], options.hasHeader ? DisplayWidth.of(header[column]) : 0)
    }
    self.widths =
      options.width.map { width in
        // A shortened number would look like another number.
        ColumnWidths.fitting(
          widths, minimums: zip(cellWidths, isNumeric).map { $1 ? $0 : 0 },
          in: width - Self.gap * max(0, widths.count - 1))
      } ?? widths
    let text =
      (options.hasHeader ? line(header) { _ in .heading } : "") + measured.map { line($0) }.joined()
    measured = []
    return text
  }

  private func line(_ row: [ResultValue]) -> String {
    line(row.map(\.brief)) { column in
      row[column] == .null ? .null : roles[column].style(row[column])
    }
  }

  private func line(_ cells: [String], _ style: (Int) -> TextStyle?) -> String {
    var text = ""
    var missing = 0
    for (column, cell) in cells.enumerated() {
      let width = widths?[column] ?? 0
      let shown =
        options.width == nil
        ? cell : DisplayWidth.truncated(cell, to: width, ellipsis: roles[column].ellipsis)
      let padding = max(0, width - DisplayWidth.of(shown))
      // Spaces are added only before text, so that no line ends with spaces.
      missing += isNumeric[column] ? padding : 0
      if !shown.isEmpty {
        text += String(repeating: " ", count: missing)
        text += options.isColored ? style(column)?.applied(to: shown) ?? shown : shown
        missing = 0
      }
      missing += (isNumeric[column] ? 0 : padding) + Self.gap
    }
    return text + "\n"
  }
}
