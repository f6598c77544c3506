import Foundation
import UndercroftCore
import UndercroftInspection

/// The names that a user can type about the stores at a path: kinds, values, tables and columns.
///
/// The names in confidential stores are left out. Stores that cannot be read have no names.
struct StoreNames {
  /// The maximum number of names of values.
  private static let maximumCount = 1_000

  private let stores: [DiscoveredStore]

  /// Finds the stores at a path without credentials.
  init(at path: String) {
    let inspector = Inspector(InspectorCommand.factories)
    stores = (try? inspector.stores(at: Target.location(of: path))) ?? []
  }

  /// The kinds of the stores.
  var kinds: [String] { stores.compactMap(\.kind) }

  /// Returns names of values that begin with a prefix, at most 1,000.
  ///
  /// If there are more, the returned names have no longer prefix in common than all names.
  ///
  /// - Parameters:
  ///   - prefix: the prefix.
  ///   - kinds: the kinds of the stores, or no kind for all stores.
  ///   - isOffered: a closure that returns whether a name can be completed.
  func values(
    withPrefix prefix: String, of kinds: [String],
    where isOffered: (String) -> Bool = { _ in true }
  ) -> [String] {
    let prefix = prefix.precomposedStringWithCanonicalMapping
    var found = CappedNames(maximumCount: Self.maximumCount)
    // The entries of a database are its tables, which are not values.
    for store in openStores(of: kinds)
    where !store.report.isTabular && !found.isComplete(withPrefix: prefix) {
      try? store.forEachEntry(withPrefix: prefix) { entry in
        if isOffered(entry.name) { found.add(entry.name) }
        return !found.isComplete(withPrefix: prefix)
      }
    }
    return found.names
  }

  /// Returns the tables of the stores of some kinds, or of all stores if `kinds` is empty.
  func tables(of kinds: [String]) -> [InspectedTable] {
    openStores(of: kinds).flatMap { (try? $0.tables(countingRows: false)) ?? [] }
  }

  /// Returns the tables of each kind, so that SQL statements can name them with their schemas.
  func tablesByKind() -> [(kind: String?, tables: [InspectedTable])] {
    stores.compactMap { store in
      opened(store).map { (store.kind, (try? $0.tables(countingRows: false)) ?? []) }
    }
  }

  private func openStores(of kinds: [String]) -> [OpenedStore] {
    let wanted = Set(kinds.map { ExactString($0) })
    return stores.filter { store in
      wanted.isEmpty || store.kind.map { wanted.contains(ExactString($0)) } ?? false
    }
    .compactMap(opened)
  }

  private func opened(_ store: DiscoveredStore) -> OpenedStore? {
    guard !store.isConfidential, !store.isEncrypted, store.exists, let opened = try? store.open(),
      !opened.isConfidential
    else { return nil }
    return opened
  }
}
