import UndercroftCore
import UndercroftFoundation

/// A check that runs random operations on a backend and on a dictionary, and compares the results.
///
/// If the results differ, the thrown error contains the seed, which reproduces
/// the failure, and the length of the shortest failing prefix of the operations.
public struct ModelCheck: Sendable {
  /// The seed of the random operations.
  public let seed: UInt64

  /// The number of random operations that each call of ``run(reopening:against:)`` generates.
  public let operations: Int

  /// Creates a check that generates `operations` random operations in each run.
  ///
  /// If no seed is passed, chooses a random one, so each
  /// new check uses a different sequence of operations.
  public init(seed: UInt64 = .random(in: .min ... .max), operations: Int = 1_000) {
    self.seed = seed
    self.operations = operations
  }

  /// Runs the operations on a new store and on a dictionary, and compares the results.
  ///
  /// - Parameters:
  ///   - reopening: whether the store is occasionally closed
  ///     and reopened. Pass `true` for persistent backends.
  ///   - harness: opens the backend to check.
  /// - Throws: ``ConformanceFailure`` if the results of the store and the dictionary differ.
  public func run(reopening: Bool, against harness: Harness) throws {
    var random = SeededGenerator(seed: seed)
    let series = (0..<operations).map { _ in
      ModelOperation.random(using: &random, reopening: reopening)
    }
    guard var failure = try Self.failure(of: series, harness, every: 50) else { return }
    // The whole content is compared only after every 50th operation. A second run
    // compares it after each operation, to find the operation that caused the difference.
    if let exact = try Self.failure(of: Array(series.prefix(failure.step + 1)), harness, every: 1) {
      failure = exact
    }
    let last = series.prefix(failure.step + 1).suffix(8).map(\.description)
    throw ConformanceFailure(
      "with seed \(seed), the comparison of the backend with a dictionary failed at operation "
        + "\(failure.step + 1): \(failure.reason); "
        + "the last operations: \(last.joined(separator: "; "))")
  }

  private struct Failure {
    let step: Int
    let reason: String
  }

  private static func failure(
    of series: [ModelOperation], _ harness: Harness, every period: Int
  ) throws -> Failure? {
    let trial = try CheckContext(harness)
    defer { trial.end() }
    var model: [ExactString: Data] = [:]
    for (step, operation) in series.enumerated() {
      do {
        try perform(operation, trial, &model)
        if step % period == 0 || step == series.count - 1 { try compare(trial, model) }
      } catch {
        let reason =
          (error as? ConformanceFailure)?.reason ?? "the operation threw an error: \(error)"
        return Failure(step: step, reason: reason)
      }
    }
    return nil
  }

  private static func perform(
    _ operation: ModelOperation, _ trial: CheckContext, _ model: inout [ExactString: Data]
  ) throws {
    switch operation {
    case .apply(let changes):
      try trial.apply(changes)
      for change in changes {
        switch change {
        case .set(let name, let bytes): model[name.exact] = bytes
        case .remove(let name): model[name.exact] = nil
        }
      }
      for change in changes { try trial.expect(change.name, reads: model[change.name.exact]) }
    case .read(let name): try trial.expect(name, reads: model[name.exact])
    case .keys(let prefix):
      try trial.expectKeys(prefix, model.keys.filter { $0.begins(with: prefix) }.map(\.text))
    case .reopen: trial.close()
    }
  }

  private static func compare(_ trial: CheckContext, _ model: [ExactString: Data]) throws {
    try trial.expectKeys("", model.keys.map(\.text))
    for (name, bytes) in model { try trial.expect(name.text, reads: bytes) }
  }
}
