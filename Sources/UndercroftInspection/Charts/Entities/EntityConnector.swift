/// The curve of a reference between two boxes, with the marks of crow's foot notation at its ends.
struct EntityConnector {
  /// The length of the straight ends, which carry the marks.
  private static let endLength = 16.0

  /// The end of a curve at the edge of a box.
  private struct End {
    var x: Double
    var y: Double
    /// 1 if the curve leaves the box to the right, or -1.
    var direction: Double

    /// The x coordinate at a distance from the box.
    func x(_ distance: Double) -> Double { x + direction * distance }
  }

  private let source: End
  private let target: End
  private let isUnique: Bool
  private let isOptional: Bool

  init(_ edge: ResolvedReference, boxes: [EntityBox], frames: [SVGRectangle]) {
    let (from, to) = (frames[edge.source], frames[edge.target])
    let startY = from.y + boxes[edge.source].rowCenter(edge.sourceColumn)
    var endY = to.y + boxes[edge.target].rowCenter(edge.targetColumn)
    if edge.source == edge.target, startY == endY {
      // A column that refers to itself needs two different ends.
      endY += edge.sourceColumn == nil ? EntityBox.headerHeight / 3 : -EntityBox.rowHeight
    }
    let isLeft = to.maxX < from.x
    let isRight = from.maxX < to.x
    source = End(x: isLeft ? from.x : from.maxX, y: startY, direction: isLeft ? -1 : 1)
    target = End(x: isRight ? to.x : to.maxX, y: endY, direction: isRight ? -1 : 1)
    (isUnique, isOptional) = (edge.reference.isUnique, edge.reference.isOptional)
  }

  /// The path from the referring column to the referenced column.
  var path: SVGPath {
    let (start, end) = (source.x(Self.endLength), target.x(Self.endLength))
    var path = SVGPath()
    path.move(source.x, source.y)
    if source.direction == target.direction {
      // Both ends leave to the right, so the curve stays in the gap beside the wider box.
      let edge = max(start, end)
      path.line(edge, source.y)
      path.curve(edge + 26, from: source.y, edge + 26, to: edge, target.y)
    } else {
      let bend = max((end - start).magnitude / 2, 18) * source.direction
      path.line(start, source.y)
      path.curve(start + bend, from: source.y, end - bend, to: end, target.y)
    }
    path.line(target.x, target.y)
    return path
  }

  /// The strokes of the marks: a foot for many rows, and a bar for one row.
  var marks: SVGPath {
    var marks = SVGPath()
    if isUnique {
      Self.bar(source, at: 7, &marks)
    } else {
      marks.move(source.x, source.y - 6)
      marks.line(source.x(11), source.y)
      marks.line(source.x, source.y + 6)
    }
    Self.bar(target, at: 6, &marks)
    if !isOptional { Self.bar(target, at: 10, &marks) }
    return marks
  }

  /// The centre of the circle that means "zero or one row", or `nil` if a row is required.
  var circle: (x: Double, y: Double)? { isOptional ? (target.x(12), target.y) : nil }

  private static func bar(_ end: End, at distance: Double, _ marks: inout SVGPath) {
    marks.move(end.x(distance), end.y - 5)
    marks.line(end.x(distance), end.y + 5)
  }
}
