/// A rectangle in the coordinates of an SVG document, in which y increases downwards.
package struct SVGRectangle: Sendable, Equatable {
  package var x: Double
  package var y: Double
  package var width: Double
  package var height: Double

  /// Creates a rectangle from its upper left corner and its size.
  package init(x: Double, y: Double, width: Double, height: Double) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  /// The x coordinate of the right edge.
  package var maxX: Double { x + width }
  /// The y coordinate of the lower edge.
  package var maxY: Double { y + height }
  /// The product of the width and the height.
  package var area: Double { width * height }

  /// Returns the rectangle without a margin on each side; a side never gets negative.
  func inset(_ margin: Double, top: Double? = nil) -> SVGRectangle {
    let top = top ?? margin
    return SVGRectangle(
      x: x + margin, y: y + top, width: max(width - 2 * margin, 0),
      height: max(height - margin - top, 0))
  }

  /// Returns the rectangle moved by a distance.
  func moved(x distanceX: Double, y distanceY: Double) -> SVGRectangle {
    SVGRectangle(x: x + distanceX, y: y + distanceY, width: width, height: height)
  }
}
