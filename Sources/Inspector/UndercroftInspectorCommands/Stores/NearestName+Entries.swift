import UndercroftCore
import UndercroftInspection

extension NearestName {
  /// The number of names of a store with which a word is compared, because a store can have
  /// millions of names.
  private static let comparedEntries = 10_000

  /// Compares the names of values of a store, unless the store is confidential.
  mutating func compareEntries(of store: OpenedStore) throws {
    guard !store.isConfidential, !store.report.isTabular else { return }
    var count = 0
    try store.forEachEntry { entry in
      compare(entry.name)
      count += 1
      return count < Self.comparedEntries
    }
  }
}
