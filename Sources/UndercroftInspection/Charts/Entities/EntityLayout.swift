/// The positions of the boxes of a diagram, which do not overlap.
///
/// Connected tables form a block of columns of boxes. A table is to the right of the tables to
/// which it refers, unless the reference closes a cycle or a long chain continues below. The blocks
/// are placed in rows of similar height. (shelf packing)
struct EntityLayout {
  static let margin = 48.0
  static let top = 64.0
  /// The distance of columns and blocks, which leaves room for the marks and curves of references.
  static let columnGap = 76.0

  /// The frame of each table.
  private(set) var frames: [SVGRectangle]
  private(set) var width = 0.0
  private(set) var height = 0.0

  init(_ boxes: [EntityBox], references: [ResolvedReference]) {
    frames = boxes.map { SVGRectangle(x: 0, y: 0, width: $0.width, height: $0.height) }
    let layers = EntityLayers(tableCount: boxes.count, references: references)
    let blocks = layers.components.map { EntityBlock(layers.layers(of: $0), boxes) }
    place(blocks)
  }

  private mutating func place(_ blocks: [EntityBlock]) {
    // Blocks of connected tables come first, and similar heights share a shelf.
    let order = blocks.indices.sorted { left, right in
      let (first, second) = (blocks[left], blocks[right])
      if (first.frames.count > 1) != (second.frames.count > 1) { return first.frames.count > 1 }
      return first.height == second.height ? left < right : first.height > second.height
    }
    let area = blocks.reduce(0) {
      $0 + ($1.width + Self.columnGap) * ($1.height + Self.columnGap)
    }
    // Screens are wider than high.
    let limit = max(blocks.map(\.width).max() ?? 0, (area * 1.6).squareRoot())
    var (x, y, shelfHeight, usedWidth) = (0.0, 0.0, 0.0, 0.0)
    for index in order {
      let block = blocks[index]
      if x > 0, x + block.width > limit {
        y += shelfHeight + Self.columnGap / 2
        (x, shelfHeight) = (0, 0)
      }
      for (table, frame) in block.frames {
        frames[table] = frame.moved(x: Self.margin + x, y: Self.top + y)
      }
      usedWidth = max(usedWidth, x + block.width)
      x += block.width + Self.columnGap
      shelfHeight = max(shelfHeight, block.height)
    }
    width = max(usedWidth + 2 * Self.margin, 320)
    height = Self.top + y + shelfHeight + Self.margin
  }
}
