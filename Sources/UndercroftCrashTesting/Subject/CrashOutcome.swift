/// What is found in the store that a crash left.
package enum CrashOutcome: Sendable, Equatable {
  /// The contents are those after any of these numbers of whole batches, and the store works.
  case consistent(after: Set<Int>)
  /// The contents are those after no whole number of batches.
  case mixture(String)
  /// The store refuses to open.
  case unopenable(String)
  /// The store opened, but could not be written, reopened, or kept files that must be gone.
  case unusable(String)
  /// The writer read other contents than a new process reads.
  case differs(String)
}

/// Whether a state keeps the promises.
package enum CrashVerdict: String, Sendable, CaseIterable {
  /// Everything that was promised is there.
  case kept
  /// An acknowledged batch that was promised to survive is missing.
  case lost
  /// A batch is there in part.
  case mixture
  /// The store does not open.
  case unopenable = "not opened"
  /// The store opens but does not work.
  case unusable
  /// The store works, but reports a failing disk as something else, such as damage.
  case misreported = "wrong error"
  /// After an error the writer reads other contents than a new process.
  case differs
}

extension CrashOutcome {
  package func verdict(_ window: BatchWindow) -> CrashVerdict {
    switch self {
    case .consistent(let numbers):
      if numbers.contains(where: { $0 >= window.promised && $0 <= window.begun }) { return .kept }
      return (numbers.min() ?? 0) < window.promised ? .lost : .mixture
    case .mixture: return .mixture
    case .unopenable: return .unopenable
    case .unusable: return .unusable
    case .differs: return .differs
    }
  }
}
