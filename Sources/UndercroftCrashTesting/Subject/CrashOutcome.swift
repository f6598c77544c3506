/// The result of testing the store that a crash left.
package enum CrashOutcome: Sendable, Equatable {
  /// The store works, and its contents are the expected contents.
  ///
  /// The set contains every number of complete batches after which these
  /// contents are expected. In a test of failing calls, the set is empty.
  case consistent(after: Set<Int>)
  /// The contents differ from the expected contents after every number of complete batches.
  case mixture(String)
  /// Opening the store throws.
  case unopenable(String)
  /// The store opens, but writing to it or opening it again fails, or files remain that should have
  /// been removed.
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
  /// The contents match no allowed number of complete batches,
  /// usually because only a part of a batch is in the store.
  case mixture = "mixture"
  /// The store does not open.
  case unopenable = "not opened"
  /// The store opens, but a later write fails, the store cannot be opened again, or files are left
  /// over.
  case unusable = "unusable"
  /// The store works, but reports a failing disk as damage, or a full disk as another error.
  case misreported = "wrong error"
  /// After an error, the contents that the writer reads differ from those that a new process reads.
  case differs = "differs"
}

extension CrashOutcome {
  /// Returns the verdict on this outcome, if a crash is allowed to leave the batches in `window`.
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
