/// An encoder of rows as columns that are aligned with spaces.
///
/// The widths of the columns are those of the first rows. A later, wider cell shifts the rest of
/// its line. If a line would be wider than the terminal, the widest columns are shortened.
struct TableRowEncoder: RowEncoder {
  /// The number of rows that determine the widths of the columns.
  private static let measuredRows = 1_000
  private static let gap = 2
  /// The minimum width to which a column is shortened.
  private static let narrowest = 8

  private let maximumWidth: Int?
  private let hasHeader: Bool
  /// Whether the header is written even if there are no rows.
  private let isTabular: Bool
  private var header: [String] = []
  private var measured: [[ResultValue]] = []
  private var widths: [Int]?
  private var isNumeric: [Bool] = []

  init(_ options: OutputOptions) {
    maximumWidth = options.width
    hasHeader = options.hasHeader
    isTabular = options.isTabular
  }

  mutating func begin(_ columns: [String]) -> String {
    header = columns.map { ValueText.safe($0) }
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
    if measured.isEmpty, !isTabular { return "" }
    let cells = measured.map { $0.map(\.brief) }
    widths = fitting(
      header.indices.map { column in
        cells.reduce(hasHeader ? DisplayWidth.of(header[column]) : 0) {
          max($0, DisplayWidth.of($1[column]))
        }
      })
    isNumeric = header.indices.map { column in
      let values = measured.map { $0[column] }.filter { ![.absent, .null].contains($0) }
      return !values.isEmpty && values.allSatisfy(\.isNumber)
    }
    let text = (hasHeader ? line(cells: header) : "") + measured.map { line($0) }.joined()
    measured = []
    return text
  }

  /// Returns the widths, of which the largest ones are reduced until a line fits the terminal.
  private func fitting(_ widths: [Int]) -> [Int] {
    guard let maximumWidth else { return widths }
    let available = maximumWidth - Self.gap * max(0, widths.count - 1)
    var limit = max(widths.max() ?? 0, Self.narrowest)
    while widths.reduce(0, { $0 + min($1, limit) }) > available, limit > Self.narrowest {
      limit -= 1
    }
    return widths.map { min($0, limit) }
  }

  private func line(_ row: [ResultValue]) -> String { line(cells: row.map(\.brief)) }

  private func line(cells: [String]) -> String {
    var text = ""
    for (column, cell) in cells.enumerated() {
      let width = widths?[column] ?? 0
      let shown = maximumWidth == nil ? cell : DisplayWidth.truncated(cell, to: width)
      let padding = String(repeating: " ", count: max(0, width - DisplayWidth.of(shown)))
      if column > 0 { text += String(repeating: " ", count: Self.gap) }
      text += isNumeric[column] ? padding + shown : shown + padding
    }
    while text.last == " " { text.removeLast() }
    return text + "\n"
  }
}
