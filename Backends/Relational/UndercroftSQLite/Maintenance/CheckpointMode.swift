extension Database {
  /// The part of the log that a checkpoint moves into the database, and the connections that the
  /// checkpoint waits for.
  public enum CheckpointMode: Sendable, CaseIterable {
    /// Moves as many pages of the log as possible without waiting for other connections.
    /// (`SQLITE_CHECKPOINT_PASSIVE`)
    case passive
    /// Waits for the writer and for readers of older states, and moves the whole log.
    /// (`SQLITE_CHECKPOINT_FULL`)
    case full
    /// Does the same as ``full``, and ensures that the next writer restarts the log from its
    /// beginning. (`SQLITE_CHECKPOINT_RESTART`)
    case restart
    /// Does the same as ``restart``, and truncates the log to an empty file.
    /// (`SQLITE_CHECKPOINT_TRUNCATE`)
    case truncate
  }
}
