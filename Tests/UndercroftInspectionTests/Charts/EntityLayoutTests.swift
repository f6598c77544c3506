import Testing
import UndercroftInspection

@Suite struct EntityLayoutTests {
  /// Returns the boxes in the document of a diagram, in the order of the tables.
  private static func frames(of diagram: EntityDiagram) throws -> [SVGRectangle] {
    let boxes = try SVGOutline(diagram.svg).elements.filter { $0.attributes["class"] == "box" }
    let frames = boxes.compactMap { box -> SVGRectangle? in
      let numbers = ["x", "y", "width", "height"].compactMap { name in
        box.attributes[name].flatMap(Double.init)
      }
      guard numbers.count == 4 else { return nil }
      return SVGRectangle(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
    #expect(frames.count == diagram.tables.count)
    return frames
  }

  @Test(arguments: 1...30)
  func `boxes of random schemas do not overlap and are inside the document`(seed: Int) throws {
    let diagram = EntityDiagram.random(tableCount: 60, seed: UInt64(seed))

    let frames = try Self.frames(of: diagram)
    let size = try #require(try SVGOutline(diagram.svg).elements.first?.attributes)
    let width = try #require(size["width"].flatMap(Double.init))
    let height = try #require(size["height"].flatMap(Double.init))
    #expect(frames.count == 60)
    for (index, frame) in frames.enumerated() {
      #expect(!frames.dropFirst(index + 1).contains { $0.overlaps(frame) })
      #expect(frame.x >= 0 && frame.y >= 40 && frame.maxX <= width && frame.maxY <= height)
    }
  }

  @Test(arguments: [1, 2, 3, 50, 200])
  func `a cycle of references is laid out without overlaps`(count: Int) throws {
    let tables = (0..<count).map { EntityDiagram.Table("t\($0)", [EntityDiagram.Column("id")]) }
    let references = (0..<count).map {
      EntityDiagram.Reference(from: "t\($0)", ["id"], to: "t\(($0 + 1) % count)", ["id"])
    }

    let diagram = EntityDiagram(title: "", tables: tables, references: references)
    let frames = try Self.frames(of: diagram)
    for (index, frame) in frames.enumerated() {
      #expect(!frames.dropFirst(index + 1).contains { $0.overlaps(frame) })
      #expect(frame.maxX < 4000)
    }
  }

  @Test func `a table is to the right of the tables that it refers to`() throws {
    let diagram = EntityDiagram(
      title: "",
      tables: ["fine", "loan", "book"].map { EntityDiagram.Table($0, []) },
      references: [
        EntityDiagram.Reference(from: "loan", [], to: "book"),
        EntityDiagram.Reference(from: "fine", [], to: "loan"),
        EntityDiagram.Reference(from: "fine", [], to: "book"),
      ])

    let frames = try Self.frames(of: diagram)
    #expect(frames[2].maxX < frames[1].x)
    #expect(frames[1].maxX < frames[0].x)
  }

  @Test func `two hundred tables that refer to one table form several columns`() throws {
    let tables = (0..<200).map { EntityDiagram.Table("t\($0)", [EntityDiagram.Column("id")]) }
    let references = (1..<200).map {
      EntityDiagram.Reference(from: "t\($0)", ["id"], to: "t0", ["id"])
    }

    let diagram = EntityDiagram(title: "", tables: tables, references: references)
    let frames = try Self.frames(of: diagram)
    #expect(Set(frames.map(\.x)).count > 5)
    #expect(frames.allSatisfy { $0.maxY < 3000 })
  }

  @Test(arguments: 1...10)
  func `curves start and end at the left or right edge of a box`(seed: Int) throws {
    let diagram = EntityDiagram.random(tableCount: 20, seed: UInt64(seed))
    let edges = try Self.frames(of: diagram).flatMap { [$0.x, $0.maxX] }

    let paths = try SVGOutline(diagram.svg).elements.filter {
      ["link", "link inferred"].contains($0.attributes["class"])
    }
    for path in paths {
      let numbers = path.attributes["d"]?.split { !"0123456789.".contains($0) }
        .compactMap { Double($0) }
      let ends = try #require(numbers.flatMap { $0.count >= 4 ? [$0[0], $0[$0.count - 2]] : nil })
      for end in ends { #expect(edges.contains { abs($0 - end) < 0.01 }) }
    }
    #expect(paths.count == diagram.references.count)
  }
}
