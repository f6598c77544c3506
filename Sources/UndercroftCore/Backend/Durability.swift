/// What an acknowledged write survives.
public enum Durability: Sendable {
  /// The death of the process at any moment; a power cut may cost the writes of the last seconds, never older ones.
  case processDeath
  /// A power cut as well: every batch is flushed to the disk before it is acknowledged. (`fsync`)
  case powerLoss
}
