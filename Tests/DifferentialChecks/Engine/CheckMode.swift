/// A kind of random check, which generates a case from choices, runs it, and compares the results
/// with a model.
package protocol CheckMode: Sendable {
  /// The name of the mode, with which a case is repeated: `make nightly MODE=joins SEED=7`.
  var name: String { get }

  /// Generates one case, runs it against the library, and throws the first ``Difference``.
  func run(_ trial: Trial) throws
}

extension CheckMode {
  /// Runs one case, in which every error counts as a difference.
  package func outcome(_ choices: Choices, isRecorded: Bool = false) -> Outcome {
    let trial = Trial(choices, isRecorded: isRecorded)
    var difference: Difference?
    do {
      try run(trial)
    } catch let found as Difference {
      difference = found
    } catch {
      difference = Difference("unexpected error", actual: "\(error)", expected: "no error")
    }
    return Outcome(
      tape: choices.tape, checkCount: trial.checkCount, steps: trial.steps, difference: difference)
  }
}

/// The result of one case.
package struct Outcome: Sendable {
  package let tape: [UInt64]
  package let checkCount: Int
  package let steps: [String]
  package let difference: Difference?
}
