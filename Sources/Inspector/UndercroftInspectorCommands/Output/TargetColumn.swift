import UndercroftInspection

/// The first column of a result about several paths, which contains the path of each row as the
/// user has passed it.
///
/// The result about one path does not have the column.
struct TargetColumn {
  let isPresent: Bool

  init(isPresent: Bool) { self.isPresent = isPresent }

  init(of targets: FoundTargets) { isPresent = targets.isSeveral }

  init(of stores: [DiscoveredStore]) { isPresent = stores.contains { $0.target != nil } }

  /// Returns the names of all columns.
  func columns(_ others: [String]) -> [String] { (isPresent ? ["target"] : []) + others }

  /// Returns a row with its path.
  func row(_ target: String?, _ values: [ResultValue]) -> [ResultValue] {
    isPresent ? [ResultValue(target)] + values : values
  }
}
