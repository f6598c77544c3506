import UndercroftCore
import UndercroftInspection

extension DiscoveredStore {
  /// The kind of data, or the short name of the backend if no manifest specifies the kind.
  var name: String { kind ?? scheme }

  /// Returns the first store of each location, because several kinds of data may share one store.
  static func withoutSharedFiles(_ stores: [DiscoveredStore]) -> [DiscoveredStore] {
    var paths: Set<ExactString> = []
    return stores.filter { paths.insert(ExactString($0.path)).inserted }
  }
}
