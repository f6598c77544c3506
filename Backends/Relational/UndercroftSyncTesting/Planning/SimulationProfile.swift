/// The faults of a history.
public enum SimulationProfile: String, Sendable, Hashable, CaseIterable {
  /// No faults.
  case mild = "mild"
  /// Lost, repeated, delayed and reordered messages, crashes, and wrong clocks.
  case harsh = "harsh"
  /// The faults of ``harsh``, and few rows, which all devices change.
  case hot = "hot"
  /// The faults of ``harsh``, and files that are copied or restored from a backup.
  case clone = "clone"
  /// The faults of ``harsh``, and a server that removes tombstones and old operations.
  case compaction = "gc"
  /// The faults of ``clone`` and ``compaction``.
  case cloneAndCompaction = "gcclone"
  /// The faults of ``harsh``, and a server that is restored from a backup.
  case timeline = "timeline"
  /// All faults except those of ``timeline``.
  case all = "all"
}

extension SimulationProfile {
  var hasFaults: Bool { self != .mild }
  var hasClones: Bool { self == .clone || self == .cloneAndCompaction || self == .all }
  var hasCompactions: Bool { self == .compaction || self == .cloneAndCompaction || self == .all }
  var losesTimeline: Bool { self == .timeline }
  /// The fraction of the steps that are rare actions, such as restoring a backup or compacting the
  /// server.
  var rareShare: Double { self == .cloneAndCompaction ? 0.10 : 0.03 }
}
