import UndercroftInspection

extension SVGRectangle {
  /// Returns whether the interiors of both rectangles have a common point.
  func overlaps(_ other: SVGRectangle) -> Bool {
    x < other.maxX && other.x < maxX && y < other.maxY && other.y < maxY
  }
}
