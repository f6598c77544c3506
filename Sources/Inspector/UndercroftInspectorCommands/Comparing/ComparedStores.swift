import UndercroftCore
import UndercroftInspection

/// The stores at two paths that are compared.
struct ComparedStores {
  let old: [DiscoveredStore]
  let new: [DiscoveredStore]

  /// Finds the stores.
  ///
  /// - Parameters:
  ///   - target: the first path.
  ///   - other: the second path.
  ///   - kinds: the kinds of the stores, or no kind for all stores. A single store has no kind; it
  ///     is compared with the store of the only kind in a home.
  /// - Throws: ``StorageError/Code/unavailable`` if one path is a single store, and the other one a
  ///   home with several stores.
  init(_ target: Target, _ other: String, of kinds: [String]) throws {
    let credentials = target.credentials()
    let all = (
      old: try target.stores(credentials: credentials),
      new: try target.stores(at: other, credentials: credentials)
    )
    let isSingle = (old: Self.isSingle(all.old), new: Self.isSingle(all.new))
    let oldKinds = isSingle.old && !isSingle.new ? [] : kinds
    let newKinds = isSingle.new && !isSingle.old ? [] : kinds
    old = try target.stores(of: oldKinds, credentials: credentials)
    new = try target.stores(of: newKinds, at: other, credentials: credentials)
    if isSingle.old, !isSingle.new { try Self.require(new, at: other, toMatch: old[0]) }
    if isSingle.new, !isSingle.old { try Self.require(old, at: target.path, toMatch: new[0]) }
  }

  private static func isSingle(_ stores: [DiscoveredStore]) -> Bool {
    stores.count == 1 && stores[0].kind == nil
  }

  /// Throws an error if there are several stores with which a single store can be compared.
  private static func require(
    _ stores: [DiscoveredStore], at home: String, toMatch store: DiscoveredStore
  ) throws {
    guard stores.count > 1 else { return }
    let existing = stores.filter(\.exists)
    let similar = existing.filter { $0.scheme.isExactly(store.scheme) }
    let kinds = (similar.isEmpty ? existing : similar).compactMap(\.kind)
    throw StorageError(
      .unavailable,
      """
      cannot compare \(quoted(store.path)) with \(quoted(home)): the former is one store, and the \
      latter is the home directory of an application with several stores
      """,
      suggestion: """
        select one of the stores in the home directory with --kind: \
        \(kinds.joined(separator: ", "))
        """)
  }
}
