/// The decisions from which a case is generated, recorded as a tape that can be replayed and shortened.
///
/// A generator asks for nothing but numbers below a bound. The first run takes them from a seed. A replay
/// takes them from a tape, and 0 after its end, so a generator makes 0 its simplest choice.
package final class Choices {
  private enum Source {
    case random(SplitMix64)
    case tape([UInt64])
  }

  private var source: Source
  /// Every decision that was taken, in order.
  package private(set) var tape: [UInt64] = []

  /// Creates choices that follow from a seed.
  package init(seed: UInt64) { source = .random(SplitMix64(seed: seed)) }

  /// Creates choices that repeat a tape.
  package init(tape: [UInt64]) { source = .tape(tape) }

  /// Returns a number from 0 to `bound - 1`.
  package func below(_ bound: Int) -> Int {
    guard bound > 1 else { return 0 }
    let decision = next() % UInt64(bound)
    tape.append(decision)
    return Int(decision)
  }

  /// Returns any 64 bits.
  package func bits() -> UInt64 {
    let decision = next()
    tape.append(decision)
    return decision
  }

  private func next() -> UInt64 {
    switch source {
    case .random(var generator):
      let decision = generator.next()
      source = .random(generator)
      return decision
    case .tape(let decisions):
      return tape.count < decisions.count ? decisions[tape.count] : 0
    }
  }
}

extension Choices {
  /// Returns one of several values; the first is the simplest.
  package func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }

  /// Returns `true` in one of `count` cases.
  package func oneIn(_ count: Int) -> Bool { below(count) == count - 1 }

  /// Returns a number in a range; its lower bound is the simplest.
  package func number(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + below(range.upperBound - range.lowerBound + 1)
  }

  /// Calls `body` once, and again up to `most` times altogether.
  package func repeated(atMost most: Int, _ body: () throws -> Void) rethrows {
    try body()
    var count = 1
    while count < most, below(most / 2 + 2) > 0 {
      try body()
      count += 1
    }
  }

  /// Returns up to `most` values, about half of that on average.
  ///
  /// Each value is preceded by a decision to go on, so that the shrinker removes one value by deleting one block.
  package func list<Value>(atMost most: Int, _ value: () throws -> Value) rethrows -> [Value] {
    var values: [Value] = []
    while values.count < most, below(most / 2 + 2) > 0 {
      values.append(try value())
    }
    return values
  }
}
