import UndercroftInspection

/// The column with the kinds of the stores, which a result has only if a manifest specifies a kind.
///
/// It is the first column, or follows the column with the paths if there are several paths.
struct KindColumn {
  private let isPresent: Bool
  private let targets: TargetColumn

  init(_ kinds: some Sequence<String?>) {
    isPresent = kinds.contains { $0 != nil }
    targets = TargetColumn(of: [])
  }

  init(of stores: [DiscoveredStore]) {
    isPresent = stores.contains { $0.kind != nil }
    targets = TargetColumn(of: stores)
  }

  /// Returns the names of all columns.
  func columns(_ others: [String]) -> [String] {
    targets.columns((isPresent ? ["kind"] : []) + others)
  }

  /// Returns a row with the path and the kind of its store.
  func row(_ store: DiscoveredStore, _ values: [ResultValue]) -> [ResultValue] {
    targets.row(store.target, row(store.kind, values))
  }

  /// Returns a row about the only path with the kind of its store.
  func row(_ kind: String?, _ values: [ResultValue]) -> [ResultValue] {
    isPresent ? [ResultValue(kind)] + values : values
  }
}
