import Synchronization

/// A run of many random cases of several check modes, which ends when enough results were compared.
package final class Campaign: Sendable {
  private let modes: [any CheckMode]
  private let seed: UInt64
  private let state: Mutex<CampaignReport>
  private let isStopped = Atomic(false)
  private let onDifference: @Sendable (FailedCase) -> Void

  /// Creates a run.
  ///
  /// - Parameters:
  ///   - modes: the modes whose cases are run.
  ///   - seed: the seed of the first case of each mode; the next case has the next seed.
  ///   - onDifference: a closure that is called with the first difference of each mode and label,
  ///     before it is shrunk.
  package init(
    _ modes: [any CheckMode], seed: UInt64,
    onDifference: @escaping @Sendable (FailedCase) -> Void = { _ in }
  ) {
    (self.modes, self.seed, self.onDifference) = (modes, seed, onDifference)
    state = Mutex(CampaignReport(modes: modes.map(\.name)))
  }

  package var report: CampaignReport { state.withLock { $0 } }

  /// Ends the run after the current cases.
  package func stop() { isStopped.store(true, ordering: .relaxed) }

  /// Runs cases on the calling thread until all threads together have compared `checks` results.
  ///
  /// The mode of the next case is the mode that has used the least time, so that all modes
  /// progress.
  ///
  /// - Parameter untilDifference: whether the first difference ends the run.
  package func run(checks: Int, cases: Int = .max, untilDifference: Bool = false) {
    while !isStopped.load(ordering: .relaxed) {
      if untilDifference, !report.isClean { return }
      let next = state.withLock { $0.begin(checks: checks, cases: cases) }
      guard let next else { return }
      let seed = seed &+ UInt64(next.number)
      let begin = ContinuousClock.now
      let outcome = modes[next.mode].outcome(Choices(seed: seed))
      let isNew = state.withLock { $0.end(next.mode, outcome, ContinuousClock.now - begin) }
      if isNew, let difference = outcome.difference {
        onDifference(
          FailedCase(
            mode: modes[next.mode], seed: seed, outcome: outcome, difference: difference,
            checksBefore: report.modes[next.mode].checks))
      }
    }
  }
}

/// A case that failed, with the seed that repeats it and its difference.
package struct FailedCase: Sendable {
  package let mode: any CheckMode
  package let seed: UInt64
  package let outcome: Outcome
  package let difference: Difference
  /// The number of results of the mode that had been compared when the case failed.
  package let checksBefore: Int
}
