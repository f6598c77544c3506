/// A shrinker that makes a failing case smaller by shortening the tape of its decisions,
/// independently of the mode.
///
/// A smaller tape is shorter, or has the same length and smaller decisions. A smaller tape is
/// accepted if the case still fails with the same label.
package struct Shrinker {
  private let mode: any CheckMode
  private let label: String
  private var best: Outcome
  private var attempts: Int
  private let end = ContinuousClock.now + .seconds(30)

  /// Creates a shrinker.
  ///
  /// - Parameters:
  ///   - mode: the mode of the failing case.
  ///   - failing: the outcome of the failing case.
  ///   - attempts: the maximum number of cases to run in search of a smaller one.
  package init(_ mode: any CheckMode, _ failing: Outcome, attempts: Int) {
    self.mode = mode
    label = failing.difference?.label ?? ""
    (best, self.attempts) = (failing, attempts)
  }

  /// Returns the smallest failing case that was found.
  package mutating func shrink() -> Outcome {
    var before: [UInt64]
    repeat {
      before = best.tape
      deleteBlocks()
      lowerBlocks()
      lowerDecisions()
    } while best.tape != before && attempts > 0
    return best
  }

  private mutating func deleteBlocks() {
    for size in [64, 32, 16, 8, 4, 3, 2, 1] {
      var end = best.tape.count
      while end >= size, attempts > 0 {
        var tape = best.tape
        tape.removeSubrange(end - size..<end)
        // If a block is removed, the next one is in its place.
        end = accept(tape) ? min(end, best.tape.count) : end - max(1, size / 2)
      }
    }
  }

  private mutating func lowerBlocks() {
    for size in [16, 8, 4, 2] {
      var start = 0
      while start + size <= best.tape.count, attempts > 0 {
        var tape = best.tape
        for place in start..<start + size { tape[place] = 0 }
        if tape != best.tape { _ = accept(tape) }
        start += size
      }
    }
  }

  private mutating func lowerDecisions() {
    var place = 0
    while place < best.tape.count, attempts > 0 {
      var low: UInt64 = 0
      while place < best.tape.count, low < best.tape[place], attempts > 0 {
        var tape = best.tape
        tape[place] = low + (best.tape[place] - low) / 2
        if !accept(tape) { low += (best.tape[min(place, best.tape.count - 1)] - low) / 2 + 1 }
      }
      place += 1
    }
  }

  private mutating func accept(_ tape: [UInt64]) -> Bool {
    // The time is limited, because cases that open files are slow, and a report must not be
    // delayed.
    attempts = ContinuousClock.now < end ? attempts - 1 : 0
    let outcome = mode.outcome(Choices(tape: tape))
    guard outcome.difference?.label == label, outcome.tape.isSmaller(than: best.tape) else {
      return false
    }
    best = outcome
    return true
  }
}

extension [UInt64] {
  /// Returns whether this tape is shorter, or has the same length and a smaller first different
  /// decision.
  fileprivate func isSmaller(than other: Self) -> Bool {
    count == other.count ? lexicographicallyPrecedes(other) : count < other.count
  }
}
