/// The result of testing the store that a crash left.
package enum CrashOutcome: Sendable, Equatable {
  /// The contents are equal to those after each of these numbers of complete
  /// batches, and the store works. In a test of faults, the set is empty.
  case consistent(after: Set<Int>)
  /// The contents are not those after any number of complete batches.
  case mixture(String)
  /// Opening the store throws.
  case unopenable(String)
  /// The store opens, but a later write or another opening
  /// fails, or files remain that should have been removed.
  case unusable(String)
  /// The writer and a newly started process read different contents.
  case differs(String)
}

/// The verdict on a state: whether the store fulfils its guarantees.
package enum CrashVerdict: String, Sendable, CaseIterable {
  /// Every guarantee is fulfilled.
  case passed = "passed"
  /// An acknowledged batch that must survive is missing.
  case lost = "lost"
  /// Only a part of a batch is in the store.
  case mixture = "mixture"
  /// The store does not open.
  case unopenable = "not opened"
  /// The store opens but does not work.
  case unusable = "unusable"
  /// The store works, but reports a failing disk as another error, such as damage.
  case misreported = "wrong error"
  /// After an error, the writer reads other contents than a new process.
  case differs = "differs"
}

extension CrashOutcome {
  /// Returns the verdict on this outcome for a crash that may leave the given batches.
  package func verdict(_ window: BatchWindow) -> CrashVerdict {
    switch self {
    case .consistent(let numbers):
      if numbers.contains(where: { $0 >= window.required && $0 <= window.begun }) { return .passed }
      return (numbers.min() ?? 0) < window.required ? .lost : .mixture
    case .mixture: return .mixture
    case .unopenable: return .unopenable
    case .unusable: return .unusable
    case .differs: return .differs
    }
  }
}
