extension KillTest {
  /// The results of a ``KillTest``.
  public struct Report: Sendable, CustomStringConvertible {
    /// The name of the store.
    package let store: String
    /// The number of writers that were started.
    package internal(set) var rounds = 0
    /// The number of writers that were killed.
    package internal(set) var kills = 0
    /// The number of acknowledged batches, each of one or of fifty changes.
    package internal(set) var acknowledged = 0
    /// The number of names whose value is missing, or older than the last acknowledged change of
    /// that name.
    package internal(set) var lost = 0
    /// The number of names whose value no batch has written under that name, plus the number of
    /// batches whose changes were not applied in order.
    package internal(set) var neverWritten = 0
    /// The number of batches that were applied in part, although the backend declares `.crashSafe`.
    package internal(set) var halfBatches = 0
    /// The number of batches that were applied in part by a backend
    /// that does not declare `.crashSafe`.
    ///
    /// Such batches are not failures.
    package internal(set) var declaredHalfBatches = 0
    /// The number of times that the store could not be opened or read after a kill.
    package internal(set) var unopenable = 0

    /// Whether there were no failures, and every writer was killed.
    public var isClean: Bool {
      lost + neverWritten + halfBatches + unopenable == 0 && kills == rounds
    }

    public var description: String {
      "\(store): \(rounds) rounds, \(kills) kills, \(acknowledged) acknowledged writes, "
        + "\(lost) lost, \(neverWritten) never written, \(halfBatches) half batches, "
        + "\(unopenable) unopenable"
        + (declaredHalfBatches > 0
          ? " (\(declaredHalfBatches) half batches of a store that declares no .crashSafe)" : "")
    }
  }
}
