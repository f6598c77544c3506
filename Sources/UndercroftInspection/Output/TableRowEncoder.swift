/// An encoder of rows as columns that are aligned with spaces.
///
/// The widths of the columns are those of the first rows. A later, wider cell shifts the rest of
/// its line. If a line would be wider than the terminal, a ``TableLayout`` arranges the cells.
struct TableRowEncoder: RowEncoder {
  /// The number of rows that determine the widths of the columns.
  private static let measuredRows = 1_000
  /// The maximum number of lines of a value in a block.
  private static let maximumLines = 4
  /// The spaces before a cell below its row.
  private static let indentation = "    "

  private let options: OutputOptions
  private var header: [String] = []
  private var roles: [ColumnRole] = []
  private var measured: [[ResultValue]] = []
  /// The arrangement of the cells, or `nil` before the widths are measured.
  private var layout: TableLayout?
  private var isNumeric: [Bool] = []
  /// Whether an empty line separates the next block from the previous one.
  private var hasBlock = false

  init(_ options: OutputOptions) { self.options = options }

  mutating func begin(_ columns: [String]) -> String {
    header = columns.map { ValueText.safe($0) }
    // The columns of an application have names of its choice, which do not determine their meaning.
    roles = columns.map { options.isTabular ? .other : ColumnRole(column: $0) }
    return ""
  }

  mutating func encode(_ row: [ResultValue]) -> String {
    if let layout { return text(of: row, layout) }
    measured.append(row)
    return measured.count < Self.measuredRows ? "" : flush()
  }

  mutating func end() -> String { layout == nil ? flush() : "" }

  /// Determines the widths, and returns the text of the header and the stored rows.
  private mutating func flush() -> String {
    // The result of a query has a header even if it has no rows.
    if measured.isEmpty, !options.isTabular { return "" }
    let layout = TableLayout(measuredColumns(), in: options.width)
    self.layout = layout
    var result = headerText(layout)
    let rows = measured
    measured = []
    for row in rows { result += text(of: row, layout) }
    return result
  }

  private mutating func measuredColumns() -> TableLayout.Columns {
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
    return TableLayout.Columns(
      roles: roles, widths: widths, cellWidths: cellWidths, isNumeric: isNumeric)
  }

  // MARK: Text

  private func headerText(_ layout: TableLayout) -> String {
    guard options.hasHeader else { return "" }
    // A block contains the names of the columns itself.
    guard layout == .blocks else { return lines(header, layout) { _ in .heading } }
    guard measured.isEmpty, let width = options.width else { return "" }
    return DisplayWidth.wrapped(header.joined(separator: "  "), to: width)
      .map { styled($0, .heading) + "\n" }.joined()
  }

  private mutating func text(of row: [ResultValue], _ layout: TableLayout) -> String {
    guard layout == .blocks else {
      var cells = row.map(\.brief)
      if case .lastBelow = layout, row.last == .absent { cells[cells.count - 1] = "" }
      return lines(cells, layout) { column in style(of: row[column], column) }
    }
    let block = row.indices.filter { row[$0] != .absent }.map { column in
      TableBlock.Line(header[column], row[column].brief, style: style(of: row[column], column))
    }
    defer { hasBlock = true }
    return (hasBlock ? "\n" : "")
      + TableBlock.text(
        block, width: options.width, isColored: options.isColored,
        maximumLines: Self.maximumLines)
  }

  private func style(of value: ResultValue, _ column: Int) -> TextStyle? {
    value == .null ? .null : roles[column].style(value)
  }

  private func lines(
    _ cells: [String], _ layout: TableLayout, _ style: (Int) -> TextStyle?
  ) -> String {
    switch layout {
    case .blocks: return ""
    case .columns(let widths, wrapsLast: false): return line(cells, widths, style)
    case .columns(let widths, wrapsLast: true):
      let last = cells.count - 1
      let pieces = DisplayWidth.wrapped(cells[last], to: widths[last])
      let empty = [String](repeating: "", count: last)
      return line(Array(cells.dropLast()) + [pieces[0]], widths, style)
        + pieces.dropFirst().map { line(empty + [$0], widths, style) }.joined()
    case .lastBelow(let widths):
      let last = cells.count - 1
      let columns = (options.width ?? .max) - Self.indentation.utf8.count
      let below = cells[last].isEmpty ? [] : DisplayWidth.wrapped(cells[last], to: columns)
      return line(Array(cells.dropLast()), widths, style)
        + below.map { Self.indentation + styled($0, style(last)) + "\n" }.joined()
    }
  }

  private func line(_ cells: [String], _ widths: [Int], _ style: (Int) -> TextStyle?) -> String {
    var text = ""
    var missing = 0
    for (column, cell) in cells.enumerated() {
      let width = widths[column]
      let shown =
        options.width == nil
        ? cell : DisplayWidth.truncated(cell, to: width, ellipsis: roles[column].ellipsis)
      let padding = max(0, width - DisplayWidth.of(shown))
      // Spaces are added only before text, so that no line ends with spaces.
      missing += isNumeric[column] ? padding : 0
      if !shown.isEmpty {
        text += String(repeating: " ", count: missing)
        text += styled(shown, style(column))
        missing = 0
      }
      missing += (isNumeric[column] ? 0 : padding) + TableLayout.gap
    }
    return text + "\n"
  }

  private func styled(_ text: String, _ style: TextStyle?) -> String {
    options.isColored ? style?.applied(to: text) ?? text : text
  }
}
