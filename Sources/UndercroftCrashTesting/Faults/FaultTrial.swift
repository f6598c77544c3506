import UndercroftCore

/// The verdict on one run of a writer with one fault.
struct FaultTrial {
  private(set) var verdict = CrashVerdict.passed
  private(set) var reason = ""

  /// Determines the verdict on a run of a writer with one fault.
  ///
  /// - Parameter verify: opens the store that the writer left, and returns the outcome.
  ///   The closure is called only if the writer finished without reporting a problem.
  init(_ fault: CallFault, _ run: FaultRun, verify: () -> CrashOutcome) {
    switch run.end {
    case .hung:
      let duration = FaultWriters.patience
      fail(.unusable, "the crash test killed the writer, which had printed nothing for \(duration)")
    case .signal(let number): fail(.unusable, "the writer was terminated by signal \(number)")
    case .status(let number): fail(.unusable, "the writer ended with status \(number)")
    case .finished:
      if let text = run.problem {
        fail(text.contains("in part") ? .mixture : .unusable, text)
      } else {
        check(verify(), run.errors, fault)
      }
    }
  }

  /// Adds the outcome of testing a copy of the store to the verdict.
  ///
  /// The writer made the copy right after the error that `moment` describes.
  mutating func add(_ outcome: CrashOutcome, after moment: String) {
    guard verdict == .passed else { return }
    check(outcome, "right after \(moment): ")
  }

  /// Adds the finding that an acknowledged batch does not survive a power failure.
  mutating func addLoss(_ reason: String) {
    if verdict == .passed { fail(.lost, reason) }
  }

  private mutating func check(_ outcome: CrashOutcome, _ start: String = "") {
    switch outcome {
    case .consistent: break
    case .mixture(let text): fail(.mixture, start + text)
    case .unopenable(let text): fail(.unopenable, start + text)
    case .unusable(let text): fail(.unusable, start + text)
    case .differs(let text): fail(.differs, start + text)
    }
  }

  private mutating func check(
    _ outcome: CrashOutcome, _ errors: [FaultError], _ fault: CallFault
  ) {
    check(outcome)
    if verdict != .passed { return }
    // The injected error is a failure of the machine and not of the data. The store must not report
    // it as damage, and must report a full disk as full.
    if let error = errors.first(where: { $0.has(.corrupted) }) {
      fail(.misreported, error.text)
    } else if fault.meansFull, let error = errors.first, !errors.contains(where: { $0.has(.full) })
    {
      fail(.misreported, error.text)
    }
  }

  private mutating func fail(_ verdict: CrashVerdict, _ reason: String) {
    self.verdict = verdict
    self.reason = reason
  }
}
