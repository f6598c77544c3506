/// The decisions from which a case is generated, recorded as a tape that can be replayed and
/// shortened.
///
/// A generator requests only numbers below a bound. In the first run, a seed determines them. In a
/// replay, they are read from a tape, and are 0 after its end. So a generator must make 0 its
/// simplest choice.
package final class Choices {
  private enum Source {
    case random(SplitMix64)
    case tape([UInt64])
  }

  private var source: Source
  /// All decisions so far, in their order.
  package private(set) var tape: [UInt64] = []

  /// Creates choices that a seed determines.
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

  /// Returns 64 random bits.
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
  /// Returns one of several values, the first of which must be the simplest.
  package func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }

  /// Returns `true` in one of `count` cases.
  package func oneIn(_ count: Int) -> Bool { below(count) == count - 1 }

  /// Returns a number in a range, whose lower bound counts as the simplest number.
  package func number(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + below(range.upperBound - range.lowerBound + 1)
  }

  /// Calls `body` one to `most` times.
  package func repeated(atMost most: Int, _ body: () throws -> Void) rethrows {
    try body()
    var count = 1
    while count < most, below(most / 2 + 2) > 0 {
      try body()
      count += 1
    }
  }

  /// Returns up to `most` values, and about half as many on average.
  ///
  /// Each value follows a decision to continue, so that the shrinker removes one value by deleting
  /// one block.
  package func list<Value>(atMost most: Int, _ value: () throws -> Value) rethrows -> [Value] {
    var values: [Value] = []
    while values.count < most, below(most / 2 + 2) > 0 {
      values.append(try value())
    }
    return values
  }
}
