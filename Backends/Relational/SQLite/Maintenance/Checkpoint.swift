/// What a checkpoint found and did.
public struct Checkpoint: Sendable, Hashable {
  /// How many pages the log held at the end; 0 after ``CheckpointMode/truncate``, and where there is no log.
  public let logFrames: Int
  /// How many of them are in the database, by this checkpoint or an earlier one.
  public let checkpointedFrames: Int
  /// Whether all that was asked for was done; otherwise somebody still reads an older state, or another process writes.
  public let isComplete: Bool
}
