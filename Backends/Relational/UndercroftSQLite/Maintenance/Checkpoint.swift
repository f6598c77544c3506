extension Database {
  /// The result of a checkpoint.
  public struct Checkpoint: Sendable, Hashable {
    /// The number of frames (pages) in the log when the checkpoint ended.
    ///
    /// The value is 0 after ``CheckpointMode/truncate``, and if the database has no log.
    public let logFrames: Int
    /// The number of frames of the log that this checkpoint or earlier checkpoints have moved into
    /// the database file.
    public let checkpointedFrames: Int
    /// Whether all frames of the log are in the database file, and the checkpoint has completed the
    /// other work of its ``CheckpointMode``.
    ///
    /// If the value is `false`, a reader still uses an older state, or another process is writing.
    public let isComplete: Bool
  }
}
