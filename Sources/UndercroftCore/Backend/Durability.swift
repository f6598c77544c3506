/// The failures that an acknowledged write survives.
public enum Durability: Sendable {
  /// Acknowledged writes survive a crash of the process at any time.
  ///
  /// A power failure may lose the latest batches, which the operating system has
  /// not yet written to the disk: on Linux, at most the batches of about the last
  /// 30 seconds. Older batches are not lost, and no batch survives only in part.
  case processDeath
  /// Acknowledged writes also survive a power failure, because every batch
  /// is flushed to the disk (`fsync`) before the write is acknowledged.
  case powerLoss
}
