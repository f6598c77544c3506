extension FailedCase {
  /// The command that repeats the case.
  package var command: String { "make nightly MODE=\(mode.name) SEED=\(seed) CHECKS=1" }

  /// Shrinks the case and describes the result.
  ///
  /// - Parameter attempts: the maximum number of cases to run in search of a smaller one.
  package func report(attempts: Int = 2000) -> String {
    var shrinker = Shrinker(mode, outcome, attempts: attempts)
    let smallest = mode.outcome(Choices(tape: shrinker.shrink().tape), isRecorded: true)
    let steps = smallest.steps.map { "  " + $0.replacing("\n", with: "\n    ") }
    // A case with threads may end differently when it is repeated.
    let result =
      smallest.difference?.description
      ?? "\(difference)\nthe case did not fail again; its result depends on the order of threads"
    return """
      \(mode.name): \(difference.label), after \(checksBefore) checks, seed \(seed)
      repeat it: \(command)
      the smallest case that was found has \(smallest.tape.count) of \(outcome.tape.count) decisions:
      \(steps.joined(separator: "\n"))
      \(result)
      """
  }
}
