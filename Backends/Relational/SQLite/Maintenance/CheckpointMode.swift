/// How far a checkpoint goes, and for whom it waits.
public enum CheckpointMode: Sendable, CaseIterable {
  /// As much as is possible without waiting for anybody. (`SQLITE_CHECKPOINT_PASSIVE`)
  case passive
  /// Everything, having waited for those who still read an older state. (`SQLITE_CHECKPOINT_FULL`)
  case full
  /// As ``full``, and the next writer begins the log anew. (`SQLITE_CHECKPOINT_RESTART`)
  case restart
  /// As ``restart``, and the log becomes an empty file. (`SQLITE_CHECKPOINT_TRUNCATE`)
  case truncate
}
