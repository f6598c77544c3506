import UndercroftTesting

extension SeededGenerator {
  /// Returns `true` with a probability of `one` / `all`.
  mutating func chance(_ one: Int, in all: Int) -> Bool {
    Int.random(in: 0..<max(1, all), using: &self) < one
  }
}
