import UndercroftFoundation
import UndercroftTesting

/// A random number generator whose numbers depend only on its seed.
struct SimulationRandom {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func seed() -> UInt64 { generator.next() }

  /// Returns a number from 0 up to but not including `limit`, or 0 if `limit` is not positive.
  mutating func below(_ limit: Int) -> Int {
    limit <= 1 ? 0 : Int.random(in: 0..<limit, using: &generator)
  }

  mutating func integer(in range: ClosedRange<Int64>) -> Int64 {
    Int64.random(in: range, using: &generator)
  }

  /// Returns `true` with the given probability, from 0 to 1.
  mutating func chance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &generator) < probability
  }

  /// Returns one of the arguments, each with the same probability.
  mutating func choose<Element>(_ first: Element, _ others: Element...) -> Element {
    let index = below(others.count + 1)
    return index == 0 ? first : others[index - 1]
  }

  /// Returns a random element, or `nil` if the array is empty.
  mutating func element<Element>(of elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[below(elements.count)]
  }

  mutating func bytes(_ count: Int) -> Data {
    Data((0..<max(0, count)).map { _ in UInt8(truncatingIfNeeded: generator.next()) })
  }

  /// Returns a UUID in lower case.
  mutating func uuid() -> String {
    let (high, low) = (generator.next(), generator.next())
    let uuid = withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) {
      $0.loadUnaligned(as: uuid_t.self)
    }
    return UUID(uuid: uuid).uuidString.lowercased()
  }
}
