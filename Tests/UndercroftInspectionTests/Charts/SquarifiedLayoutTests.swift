import Testing
import UndercroftInspection

@Suite struct SquarifiedLayoutTests {
  private static let bounds = SVGRectangle(x: 10, y: 20, width: 600, height: 400)

  /// Returns whether a rectangle is inside the bounds, apart from rounding.
  private func isInside(_ frame: SVGRectangle, _ bounds: SVGRectangle) -> Bool {
    frame.width >= 0 && frame.height >= 0 && frame.x >= bounds.x - 1e-6
      && frame.y >= bounds.y - 1e-6 && frame.maxX <= bounds.maxX + 1e-6
      && frame.maxY <= bounds.maxY + 1e-6
  }

  @Test func `the example of the paper is divided as in the paper`() {
    let frames = SquarifiedLayout.frames(
      [6, 6, 4, 3, 2, 2, 1], in: SVGRectangle(x: 0, y: 0, width: 6, height: 4))

    #expect(frames[0] == SVGRectangle(x: 0, y: 0, width: 3, height: 2))
    #expect(frames[1] == SVGRectangle(x: 0, y: 2, width: 3, height: 2))
    #expect(abs(frames[2].width - 12.0 / 7) < 1e-9)
    #expect(abs(frames[2].height - 7.0 / 3) < 1e-9)
  }

  @Test(arguments: 1...40)
  func `areas are proportional and rectangles are disjoint inside the bounds`(seed: Int) {
    var numbers = SampleNumbers(seed: UInt64(seed))
    let count = Int.random(in: 1...80, using: &numbers)
    let weights = (0..<count).map { _ in
      let value = Double.random(in: 0.01...1, using: &numbers)
      return value * value * 1e6
    }
    let sum = weights.reduce(0, +)

    let frames = SquarifiedLayout.frames(weights, in: Self.bounds)
    #expect(frames.count == weights.count)
    for (index, frame) in frames.enumerated() {
      #expect(abs(frame.area - weights[index] / sum * Self.bounds.area) < 1e-3)
      #expect(isInside(frame, Self.bounds))
      let inner = SVGRectangle(
        x: frame.x + 1e-6, y: frame.y + 1e-6, width: frame.width - 2e-6, height: frame.height - 2e-6
      )
      #expect(!frames.dropFirst(index + 1).contains { $0.overlaps(inner) })
    }
  }

  @Test func `extreme weights give rectangles inside the bounds`() {
    let frames = SquarifiedLayout.frames(extremeNumbers, in: Self.bounds)

    #expect(frames.count == extremeNumbers.count)
    #expect(frames.allSatisfy { isInside($0, Self.bounds) })
  }

  @Test func `an empty rectangle is divided into empty rectangles`() {
    let empty = SVGRectangle(x: 1, y: 2, width: 0, height: 5)

    let frames = SquarifiedLayout.frames([3, 2, 1], in: empty)
    #expect(frames.map(\.area) == [0, 0, 0])
    #expect(frames.allSatisfy { isInside($0, empty) })
  }
}
