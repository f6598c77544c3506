import UndercroftCore
import UndercroftInspection

/// The stores at the paths of a statement: those to which the statement can refer, and the others.
struct StatementStores {
  /// The stores to which the statement can refer.
  private(set) var queried: [QueriedStore] = []
  /// The stores that could not be read.
  private(set) var unread = UnreadStores()
  /// The confidential stores with their names, to which a statement cannot refer.
  private var confidential: [(name: String, store: DiscoveredStore)] = []

  /// Opens the stores that exist.
  ///
  /// - Parameter stores: the stores with their names in the statement.
  /// - Throws: the error of the only store.
  init(_ stores: [(name: String, store: DiscoveredStore)]) throws {
    let existing = stores.filter { $0.store.exists || $0.store.kind == nil }
    for (name, store) in existing {
      do throws(StorageError) {
        let opened = try store.open()
        guard !opened.isConfidential else {
          confidential.append((name, store))
          continue
        }
        queried.append(QueriedStore(name: name, url: try store.contentURL(), store: opened))
      } catch {
        guard existing.count > 1 else { throw error }
        unread.add(Problem(store: store, error: error), named: name)
      }
    }
  }

  /// The names of the confidential stores.
  var confidentialNames: [String] { confidential.map { $0.name } }

  /// Runs a statement, and throws the reason if the statement names a table that can be in a store
  /// to which it cannot refer.
  func explainingMissingTables<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as StorageError {
      guard let missing = error.underlying as? MissingTableError else { throw error }
      throw reason(for: error, missing.name) ?? error
    }
  }

  /// Returns the reason for which a table is not found, or `nil` if no store at all has the table.
  private func reason(for error: StorageError, _ table: String) -> (any Error)? {
    if let hidden = confidential.first(where: { UnreadStores.isName($0.name, in: table) }) {
      return Self.confidentialError(hidden.name, hidden.store)
    }
    if let problem = unread.problem(ofStoreIn: table), let store = problem.store,
      !problem.isFailure
    {
      return Self.confidentialError(store.name, store)
    }
    if queried.contains(where: { UnreadStores.isName($0.name, in: table) }) { return nil }
    // The exit status of a missing table would hide that of an unreadable store.
    let notFound = StorageError(.unavailable, error.failure, suggestion: error.suggestion)
    return unread.problems(ofMissing: table, notFound)
  }

  private static func confidentialError(_ name: String, _ store: DiscoveredStore) -> StorageError {
    StorageError(
      .locked,
      """
      cannot query the store \(quoted(name)): the store at \(quoted(store.path)) is confidential, \
      and statements cannot refer to confidential stores
      """,
      suggestion: """
        run "undercroft keys" to list the names in the store, or "undercroft get" with \
        \(RevealArguments.suggestedOptions) to show a value
        """)
  }
}
