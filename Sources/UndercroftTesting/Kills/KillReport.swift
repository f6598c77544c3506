/// What a ``KillLoop`` has seen.
public struct KillReport: Sendable, CustomStringConvertible {
  /// What the store is called.
  public let store: String
  /// How often a writer was started.
  public internal(set) var rounds = 0
  /// How many writers died by the parent's signal.
  public internal(set) var kills = 0
  /// How many batches, of one change or of fifty, were said to be kept.
  public internal(set) var acknowledged = 0
  /// How many names had lost an acknowledged change.
  public internal(set) var lost = 0
  /// How many names held a value that was never written to them, or were never written.
  public internal(set) var strange = 0
  /// How many batches were found half applied although the backend declares `.crashSafe`.
  public internal(set) var halfBatches = 0
  /// How many batches were found half applied by a backend that does not promise otherwise; not a
  /// failure.
  public internal(set) var declaredHalfBatches = 0
  /// How often the store would not open after a kill.
  public internal(set) var unopenable = 0

  /// Whether everything declared was kept.
  public var isClean: Bool { lost + strange + halfBatches + unopenable == 0 && kills == rounds }

  public var description: String {
    "\(store): \(rounds) rounds, \(kills) kills, \(acknowledged) acknowledged writes, "
      + "\(lost) lost, \(strange) never written, \(halfBatches) half batches, "
      + "\(unopenable) unopenable"
      + (declaredHalfBatches > 0
        ? " (\(declaredHalfBatches) half batches of a store that declares no .crashSafe)" : "")
  }
}
