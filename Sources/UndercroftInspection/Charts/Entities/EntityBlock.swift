/// The boxes of connected tables, as rows of columns.
struct EntityBlock {
  private static let rowGap = 28.0
  private static let columnGap = EntityLayout.columnGap
  private static let minimumColumnHeight = 640.0
  /// The width at which a long chain of references continues below.
  private static let maximumChainWidth = 3000.0

  /// The frames of the tables, relative to the upper left corner of the block.
  private(set) var frames: [(table: Int, frame: SVGRectangle)] = []
  private(set) var width = 0.0
  private(set) var height = 0.0

  /// Places the boxes of the tables of `layers`; the first layer is at the left.
  init(_ layers: [[Int]], _ boxes: [EntityBox]) {
    let area = layers.joined().reduce(0) { sum, table in
      sum + (boxes[table].width + Self.columnGap) * (boxes[table].height + Self.rowGap)
    }
    let side = area.squareRoot()
    let columns = layers.flatMap { layer in
      Self.groups(layer, below: max(Self.minimumColumnHeight, side)) {
        boxes[$0].height + Self.rowGap
      }
    }
    let rows = Self.groups(columns, below: max(Self.maximumChainWidth, side * 2)) {
      Self.width($0, boxes) + Self.columnGap
    }
    for row in rows { append(row, boxes) }
  }

  /// Returns consecutive elements in groups whose sizes are at most a limit, or of one element.
  private static func groups<Element>(
    _ elements: [Element], below limit: Double, size: (Element) -> Double
  ) -> [[Element]] {
    var groups: [[Element]] = []
    var used = 0.0
    for element in elements {
      let size = size(element)
      if groups.isEmpty || used + size > limit {
        groups.append([])
        used = 0
      }
      groups[groups.count - 1].append(element)
      used += size
    }
    return groups
  }

  /// Appends a row of columns, each of which is vertically centred, to the lower edge.
  private mutating func append(_ columns: [[Int]], _ boxes: [EntityBox]) {
    if height > 0 { height += Self.columnGap / 2 }
    let rowHeight = columns.map { Self.height($0, boxes) }.max() ?? 0
    var x = 0.0
    for column in columns {
      var y = height + (rowHeight - Self.height(column, boxes)) / 2
      for table in column {
        let box = boxes[table]
        frames.append((table, SVGRectangle(x: x, y: y, width: box.width, height: box.height)))
        y += box.height + Self.rowGap
      }
      x += Self.width(column, boxes)
      width = max(width, x)
      x += Self.columnGap
    }
    height += rowHeight
  }

  private static func height(_ column: [Int], _ boxes: [EntityBox]) -> Double {
    column.reduce(-rowGap) { $0 + boxes[$1].height + rowGap }
  }

  private static func width(_ column: [Int], _ boxes: [EntityBox]) -> Double {
    column.map { boxes[$0].width }.max() ?? 0
  }
}
