extension Treemap {
  /// A placed rectangle and the placed rectangles of its parts.
  package struct Tile: Sendable {
    package var value: ChartValue
    package var frame: SVGRectangle
    package var parts: [Tile]
    /// Whether the rectangle is large enough for a label above its parts.
    package var hasHeader: Bool
  }

  /// The smallest area of a rectangle; values with smaller areas are added up.
  private static let minimumArea = 64.0
  private static let headerHeight = 20.0

  /// The placed rectangles in descending order of their values.
  ///
  /// The areas of the sections are proportional to their values, and the areas of the parts
  /// are proportional within their section. The rectangle of the merged values is the last one.
  package var tiles: [Tile] {
    let totals = Self.merged(sections.map(\.total), area: Self.plot.area)
    let frames = SquarifiedLayout.frames(totals.map(\.value.magnitude), in: Self.plot)
    return zip(totals, frames).map { total, frame in
      let parts = total.index.map { sections[$0].parts } ?? []
      let hasHeader = frame.height >= 2 * Self.headerHeight && frame.width >= 40
      let inner = frame.inset(
        min(2, frame.width / 8, frame.height / 8), top: hasHeader ? Self.headerHeight : nil)
      return Tile(
        value: total.value, frame: frame, parts: Self.placed(parts, in: inner),
        hasHeader: hasHeader)
    }
  }

  private static func placed(_ parts: [ChartValue], in bounds: SVGRectangle) -> [Tile] {
    let values = merged(parts, area: bounds.area).map(\.value)
    let frames = SquarifiedLayout.frames(values.map(\.magnitude), in: bounds)
    return zip(values, frames).map { value, frame in
      Tile(value: value, frame: frame, parts: [], hasHeader: false)
    }
  }

  /// Returns the positive values in descending order, with those that are too small added up.
  private static func merged(
    _ values: [ChartValue], area: Double
  ) -> [(value: ChartValue, index: Int?)] {
    let shares = values.shares
    let order = values.indices.filter { shares[$0] > 0 }.sorted { left, right in
      shares[left] == shares[right] ? left < right : shares[left] > shares[right]
    }
    let large = order.prefix { shares[$0] * area >= minimumArea }
    let small = order.dropFirst(large.count)
    let shown = small.count == 1 ? order[...] : large
    var result = shown.map { (value: values[$0], index: Int?.some($0)) }
    if small.count > 1 {
      let sum = small.reduce(0) { $0 + values[$1].magnitude }
      result.append((ChartValue("\(small.count) others", sum), nil))
    }
    return result
  }
}
