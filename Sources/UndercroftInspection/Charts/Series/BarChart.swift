/// A chart of horizontal bars with their labels, values and shares of the total.
package struct BarChart: Sendable {
  package var title: String
  package var unit: ChartUnit
  package var bars: [ChartValue]

  /// The maximum number of bars; the smaller values are added up in one more bar.
  private static let maximumCount = 100
  private static let width = 720.0
  private static let margin = 16.0
  private static let rowHeight = 26.0
  private static let top = 48.0

  /// Creates a chart that shows bars in the given order.
  package init(title: String, unit: ChartUnit = .count, bars: [ChartValue]) {
    (self.title, self.unit, self.bars) = (title, unit, bars)
  }

  /// The SVG document of the chart.
  package var svg: String {
    let rows = rows
    let height = Self.top + Self.rowHeight * Double(max(rows.count, 1)) + Self.margin
    let description = "\(EnglishText.counted(bars.count, "bar")) with values and shares"
    var document = SVGDocument(
      width: Self.width, height: height, title: title, description: description)
    let heading = SVGTextMetrics.fitted(title, in: Self.width - 2 * Self.margin, .heading)
    document.label(heading, x: Self.margin, y: 28, .heading)
    if rows.isEmpty { document.label("No data", x: Self.margin, y: Self.top + 18, .muted) }
    draw(rows, in: &document)
    return document.text
  }

  private func draw(_ rows: [ChartValue], in document: inout SVGDocument) {
    let labelWidth = min(rows.map { SVGTextMetrics.width($0.label, upTo: 220) }.max() ?? 0, 220)
    let shares = rows.shares
    let notes = zip(rows, shares).map { row, share in
      "\(unit.text(row.value)) (\(ChartUnit.percentage(share)))"
    }
    let noteWidth = notes.map { SVGTextMetrics.width($0) }.max() ?? 0
    let left = Self.margin + labelWidth + 12
    let room = max(Self.width - Self.margin - left - noteWidth - 8, 40)
    let scale = AxisScale(maximum: rows.map(\.magnitude).max() ?? 0)
    for (index, row) in rows.enumerated() {
      let y = Self.top + Self.rowHeight * Double(index)
      let length = room * scale.fraction(row.magnitude)
      document.label(
        SVGTextMetrics.fitted(row.label, in: labelWidth), x: left - 8, y: y + 17, anchor: .end)
      document.rectangle(
        SVGRectangle(x: left, y: y + 4, width: length, height: 18), .bar, radius: 2,
        tooltip: "\(row.label): \(notes[index])")
      document.label(notes[index], x: left + length + 8, y: y + 17, .muted)
    }
  }

  private var rows: [ChartValue] {
    guard bars.count > Self.maximumCount else { return bars }
    // Bars of equal length remain in their order.
    let order = bars.indices.sorted { left, right in
      let (first, second) = (bars[left].magnitude, bars[right].magnitude)
      return first == second ? left < right : first > second
    }
    let shown = order.prefix(Self.maximumCount).sorted().map { bars[$0] }
    let hidden = order.dropFirst(Self.maximumCount)
    let sum = hidden.reduce(0) { $0 + bars[$1].magnitude }
    return shown + [ChartValue("\(hidden.count) others", sum)]
  }
}
