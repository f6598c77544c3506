/// A chart of nested rectangles whose areas are proportional to values.
package struct Treemap: Sendable {
  /// A rectangle of the chart, which contains the rectangles of its parts.
  package struct Section: Sendable {
    package var label: String
    package var parts: [ChartValue]

    /// Creates a rectangle whose value is the sum of its parts.
    package init(_ label: String, parts: [ChartValue]) {
      (self.label, self.parts) = (label, parts)
    }

    /// The label and the value of the whole rectangle.
    package var total: ChartValue { ChartValue(label, parts.reduce(0) { $0 + $1.magnitude }) }
  }

  package var title: String
  package var unit: ChartUnit
  package var sections: [Section]

  /// The rectangle of the document that the sections share.
  package static let plot = SVGRectangle(x: 16, y: 48, width: 928, height: 536)

  /// Creates a chart; the order of equal sections is preserved.
  package init(title: String, unit: ChartUnit = .bytes, sections: [Section]) {
    (self.title, self.unit, self.sections) = (title, unit, sections)
  }

  /// The SVG document of the chart.
  package var svg: String {
    let plot = Self.plot
    let tiles = tiles
    let count = EnglishText.counted(sections.count, "section")
    let total = unit.text(tiles.reduce(0) { $0 + $1.value.magnitude })
    var document = SVGDocument(
      width: plot.maxX + plot.x, height: plot.maxY + plot.x, title: title,
      description: "\(count), \(total) in total; areas are proportional to values")
    let heading = SVGTextMetrics.fitted(title, in: plot.width, .heading)
    document.label(heading, x: plot.x, y: 28, .heading)
    if tiles.isEmpty { document.label("No data", x: plot.x, y: plot.y + 18, .muted) }
    for (index, tile) in tiles.enumerated() {
      document.group(name(tile.value)) { draw(tile, color: index, in: &$0) }
    }
    return document.text
  }

  private func draw(_ tile: Tile, color: Int, in document: inout SVGDocument) {
    document.rectangle(tile.frame, .fill(color))
    if tile.parts.isEmpty {
      label(tile.value.label, in: tile.frame, .strong, document: &document)
      label(size(of: tile), in: tile.frame, line: 1, document: &document)
    } else if tile.hasHeader {
      label(name(tile.value), in: tile.frame, .strong, document: &document)
    }
    for part in tile.parts {
      document.rectangle(part.frame, .fill(color), tooltip: name(part.value))
      label(part.value.label, in: part.frame, document: &document)
      label(size(of: part), in: part.frame, line: 1, document: &document)
    }
  }

  /// Draws the part of a text that fits into a rectangle.
  private func label(
    _ text: String, in frame: SVGRectangle, line: Int = 0, _ style: SVGClass = .label,
    document: inout SVGDocument
  ) {
    let y = 14 + 16 * Double(line)
    guard frame.height >= y + 4 else { return }
    let shown = SVGTextMetrics.fitted(text, in: frame.width - 10, style)
    if !shown.isEmpty { document.label(shown, x: frame.x + 5, y: frame.y + y, style) }
  }

  /// Returns the value of a rectangle, or an empty text if the digits would be incomplete.
  private func size(of tile: Tile) -> String {
    let size = unit.text(tile.value.value)
    return SVGTextMetrics.width(size) <= tile.frame.width - 10 ? size : ""
  }

  private func name(_ value: ChartValue) -> String { "\(value.label): \(unit.text(value.value))" }
}
