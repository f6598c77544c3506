/// The data of an SVG path.
package struct SVGPath: Sendable, Equatable {
  /// The value of the attribute `d`.
  package private(set) var data = ""

  /// Creates an empty path.
  package init() {}

  /// Begins a new line at a point.
  package mutating func move(_ x: Double, _ y: Double) { append("M", [x, y]) }

  /// Appends a straight line to a point.
  package mutating func line(_ x: Double, _ y: Double) { append("L", [x, y]) }

  /// Appends a cubic Bézier curve that starts and ends horizontally.
  ///
  /// - Parameters:
  ///   - firstX: the x coordinate of the first control point, which is level with the start.
  ///   - startY: the y coordinate of the current point.
  ///   - secondX: the x coordinate of the second control point, which is level with the end.
  ///   - x: the x coordinate of the end.
  ///   - y: the y coordinate of the end.
  package mutating func curve(
    _ firstX: Double, from startY: Double, _ secondX: Double, to x: Double, _ y: Double
  ) {
    append("C", [firstX, startY, secondX, y, x, y])
  }

  private mutating func append(_ command: String, _ numbers: [Double]) {
    if !data.isEmpty { data += " " }
    data += command + numbers.map { SVGNumber.text($0) }.joined(separator: " ")
  }
}
