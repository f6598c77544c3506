/// A chart of vertical bars over labelled ranges.
package struct Histogram: Sendable {
  package var title: String
  package var unit: ChartUnit
  /// The ranges from left to right; the label of each describes the range.
  package var bins: [ChartValue]

  /// The maximum number of bars; neighbouring ranges are merged if there are more.
  private static let maximumCount = 200
  private static let plot = SVGRectangle(x: 72, y: 52, width: 632, height: 220)
  private static let size = (width: 720.0, height: 312.0)

  /// Creates a chart that shows ranges in the given order.
  package init(title: String, unit: ChartUnit = .count, bins: [ChartValue]) {
    (self.title, self.unit, self.bins) = (title, unit, bins)
  }

  /// The SVG document of the chart.
  package var svg: String {
    var document = SVGDocument(
      width: Self.size.width, height: Self.size.height, title: title,
      description: EnglishText.counted(bins.count, "range"))
    let heading = SVGTextMetrics.fitted(title, in: Self.size.width - 32, .heading)
    document.label(heading, x: 16, y: 28, .heading)
    guard !bins.isEmpty else {
      document.label("No data", x: 16, y: 66, .muted)
      return document.text
    }
    let bars = bars
    let scale = AxisScale(maximum: bars.map(\.magnitude).max() ?? 0)
    drawAxis(scale, in: &document)
    draw(bars, scale, in: &document)
    drawLabels(bars, in: &document)
    return document.text
  }

  private func drawAxis(_ scale: AxisScale, in document: inout SVGDocument) {
    for tick in scale.ticks {
      let y = Self.plot.maxY - Self.plot.height * scale.fraction(tick)
      var line = SVGPath()
      line.move(Self.plot.x, y)
      line.line(Self.plot.maxX, y)
      document.path(line, .grid)
      document.label(unit.text(tick), x: Self.plot.x - 6, y: y + 4, .muted, anchor: .end)
    }
  }

  private func draw(_ bars: [ChartValue], _ scale: AxisScale, in document: inout SVGDocument) {
    let step = Self.plot.width / Double(bars.count)
    for (index, bin) in bars.enumerated() {
      let height = Self.plot.height * scale.fraction(bin.magnitude)
      let frame = SVGRectangle(
        x: Self.plot.x + step * Double(index) + step * 0.08, y: Self.plot.maxY - height,
        width: step * 0.84, height: height)
      document.rectangle(frame, .bar, tooltip: "\(bin.label): \(unit.text(bin.value))")
    }
  }

  /// Draws every n-th label, so that neighbouring labels do not overlap.
  private func drawLabels(_ bars: [ChartValue], in document: inout SVGDocument) {
    let step = Self.plot.width / Double(bars.count)
    let widest = bars.map { SVGTextMetrics.width($0.label, upTo: 90) }.max() ?? 0
    let interval = max(Int(((widest + 8) / step).rounded(.up)), 1)
    for index in stride(from: 0, to: bars.count, by: interval) {
      document.label(
        SVGTextMetrics.fitted(bars[index].label, in: max(step * Double(interval) - 4, 90)),
        x: Self.plot.x + step * (Double(index) + 0.5), y: Self.plot.maxY + 18, anchor: .middle)
    }
  }

  private var bars: [ChartValue] {
    guard bins.count > Self.maximumCount else { return bins }
    let size = (bins.count - 1) / Self.maximumCount + 1
    return stride(from: 0, to: bins.count, by: size).map { start in
      let merged = bins[start..<min(start + size, bins.count)]
      let ends = [merged.first, merged.last].compactMap { $0?.label }
      return ChartValue(
        ends.joined(separator: " to "), merged.reduce(0) { $0 + $1.magnitude })
    }
  }
}
