import DifferentialChecks
import Testing

/// A mode that reports lists with a large number.
private struct LargeNumberMode: CheckMode {
  let name = "large numbers"

  func run(_ trial: Trial) throws {
    let numbers = trial.choices.list(atMost: 40) { trial.choices.below(1000) }
    trial.note("\(numbers)")
    try trial.expect("numbers below 900", numbers.allSatisfy { $0 < 900 }, true)
  }
}

@Suite struct ShrinkerTests {
  private let mode = LargeNumberMode()

  /// Returns the longest of many failing cases.
  private func failing() throws -> Outcome {
    let outcomes = (1...100 as ClosedRange<UInt64>).map { mode.outcome(Choices(seed: $0)) }
    let failed = outcomes.filter { $0.difference != nil }
    return try #require(failed.max { $0.tape.count < $1.tape.count })
  }

  @Test func `the shrinker reduces a failing case to the smallest failing case`() throws {
    let failing = try failing()
    var shrinker = Shrinker(mode, failing, attempts: 2000)

    let smallest = shrinker.shrink()

    // A decision to continue, the number, and a decision to end.
    #expect(failing.tape.count > 10)
    #expect(smallest.tape == [1, 900, 0])
    #expect(smallest.difference?.label == "numbers below 900")
    #expect(mode.outcome(Choices(tape: smallest.tape), isRecorded: true).steps == ["[900]"])
  }

  @Test func `the shrinker with a limit of one attempt still returns a failing case`() throws {
    var shrinker = Shrinker(mode, try failing(), attempts: 1)

    #expect(shrinker.shrink().difference != nil)
  }
}
