import Foundation
import UndercroftCore
import UndercroftInspection

/// The synchronised databases at a path, and the errors of the databases that cannot be read.
struct SyncedStores {
  let stores: [DiscoveredStore]
  let problems: [Problem]

  /// The column with the kinds of the databases.
  var kinds: KindColumn { KindColumn(of: stores) }

  /// Finds the synchronised databases among the existing stores of a target.
  ///
  /// - Throws: ``StorageError/Code/unavailable`` if no readable store is a synchronised database.
  init(of target: Target, kinds: [String]) throws {
    let (found, problems) = try Problem.gather(
      from: try target.existingStores(of: kinds)
    ) { store -> DiscoveredStore? in
      guard let sync = store.sync, try sync.isSynchronised(try store.contentURL()) else {
        return nil
      }
      return store
    }
    stores = DiscoveredStore.withoutSharedFiles(found.compactMap(\.self))
    self.problems = problems.filter { $0.store?.sync != nil }
    guard !stores.isEmpty || self.problems.contains(where: \.isFailure) else {
      let selected = KindPhrase.of(kinds)
      throw StorageError(
        .unavailable,
        """
        cannot show the synchronisation of \(quoted(target.path)): no readable store\(selected) \
        at this path is a database that is synchronised
        """,
        suggestion: "pass the path of a database that an application synchronises")
    }
  }

  /// Returns the results of `body` for all databases, and the errors of the other databases.
  ///
  /// - Parameter body: a closure that receives a database, its functions, and the location at which
  ///   its content is read.
  func gather<Result>(
    _ body: (DiscoveredStore, SyncInspection, URL) throws -> Result
  ) throws -> (results: [Result], problems: [Problem]) {
    let (results, unread) = try Problem.gather(from: stores) { store in
      try store.sync.map { try body(store, $0, try store.contentURL()) }
    }
    return (results.compactMap(\.self), problems + unread)
  }
}
