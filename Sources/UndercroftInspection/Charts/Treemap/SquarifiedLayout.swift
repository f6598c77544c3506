/// A layout that divides a rectangle into rectangles whose areas are proportional to weights.
///
/// The layout is the squarified treemap of Bruls, Huizing and van Wijk (2000): it adds rectangles
/// to a row along the shorter side while the worst aspect ratio of the row does not increase.
package enum SquarifiedLayout {
  /// Returns one rectangle for each weight, in the order of the weights.
  ///
  /// - Parameters:
  ///   - weights: the shares of the area. Descending weights give the best aspect ratios.
  ///     A weight that is negative or not finite is treated as zero.
  ///   - bounds: the rectangle that is divided.
  package static func frames(_ weights: [Double], in bounds: SVGRectangle) -> [SVGRectangle] {
    let shares = weights.map { ChartValue("", $0.isFinite ? $0 : 0) }.shares
    let areas = shares.map { $0 * bounds.area }
    var frames: [SVGRectangle] = []
    frames.reserveCapacity(areas.count)
    var rest = bounds
    var start = 0
    while start < areas.count {
      let end = rowEnd(areas, from: start, side: min(rest.width, rest.height))
      frames += place(areas[start..<end], in: &rest)
      start = end
    }
    return frames
  }

  private static func rowEnd(_ areas: [Double], from start: Int, side: Double) -> Int {
    var sum = 0.0
    var (least, most) = (Double.infinity, 0.0)
    var worst = Double.infinity
    var end = start
    while end < areas.count {
      let area = areas[end]
      sum += area
      (least, most) = (min(least, area), max(most, area))
      // The ratio is not a number if the area or the side is zero; such a row has no shape.
      let ratio = max(side * side * most / (sum * sum), sum * sum / (side * side * least))
      if ratio > worst { break }
      worst = ratio.isNaN ? worst : ratio
      end += 1
    }
    return max(end, start + 1)
  }

  /// Returns the rectangles of a row along the shorter side of `rest`, and removes the row from it.
  private static func place(
    _ areas: ArraySlice<Double>, in rest: inout SVGRectangle
  ) -> [SVGRectangle] {
    let sum = areas.reduce(0, +)
    let isColumn = rest.width >= rest.height
    let (side, depth) = isColumn ? (rest.height, rest.width) : (rest.width, rest.height)
    // Rounding must not move a row over the edge of the bounds.
    let thickness = side > 0 ? min(sum / side, depth) : 0
    var offset = 0.0
    let frames = areas.map { area in
      let length = sum > 0 ? min(side * (area / sum), side - offset) : 0
      defer { offset += length }
      return isColumn
        ? SVGRectangle(x: rest.x, y: rest.y + offset, width: thickness, height: length)
        : SVGRectangle(x: rest.x + offset, y: rest.y, width: length, height: thickness)
    }
    if isColumn {
      rest.x += thickness
      rest.width = max(rest.width - thickness, 0)
    } else {
      rest.y += thickness
      rest.height = max(rest.height - thickness, 0)
    }
    return frames
  }
}
