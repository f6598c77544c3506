import UndercroftInspection

/// The first column of a result, which contains the kinds of the stores if a manifest specifies
/// them, and which the result otherwise does not have.
struct KindColumn {
  private let isPresent: Bool

  init(_ kinds: some Sequence<String?>) { isPresent = kinds.contains { $0 != nil } }

  init(of stores: [DiscoveredStore]) { self.init(stores.lazy.map(\.kind)) }

  /// Returns the names of all columns.
  func columns(_ others: [String]) -> [String] { (isPresent ? ["kind"] : []) + others }

  /// Returns a row with the kind of its store.
  func row(_ kind: String?, _ values: [ResultValue]) -> [ResultValue] {
    (isPresent ? [ResultValue(kind)] : []) + values
  }
}
