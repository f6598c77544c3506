/// What an acknowledged write survives.
public enum Durability: Sendable {
  /// The death of the process at any moment.
  ///
  /// A power cut may cost the batches that the system had not written to the disk yet: those of the last seconds, on Linux at
  /// most about half a minute, never older ones, and never a part of a batch.
  case processDeath
  /// A power cut as well: every batch is flushed to the disk before it is acknowledged. (`fsync`)
  case powerLoss
}
