#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What must hold before a kind is routed to a backend.
enum RouteCheck {
  static func capabilities(
    of choice: BackendChoice, suffice kind: DataKind
  ) throws(StorageError) {
    let missing = kind.needs.subtracting(choice.capabilities)
    if missing.isEmpty { return }
    throw StorageError(
      .notSupported,
      "cannot route \(kind) here: the kind needs \(missing), which this backend does not promise",
      cure: cure(for: missing), backend: choice.name)
  }

  /// A promise that was checked before opening must be one that the opened backend makes itself.
  static func promises(
    of backend: any StorageBackend, keep choice: BackendChoice
  ) throws(StorageError) {
    let missing = choice.capabilities.subtracting(backend.capabilities)
    if missing.isEmpty { return }
    throw StorageError(
      .misuse, "cannot open a backend that was chosen as \(missing): it does not promise that",
      cure: "let the choice name the capabilities of the backend that it opens",
      backend: backend.name)
  }

  private static func cure(for missing: Capabilities) -> String {
    if missing.contains(.confidential) {
      return
        "use .vault(at:unlockedBy:), encrypt this backend with .encrypted(with:), or .memory in tests"
    }
    if missing.contains(.relational) { return "use .sqlite(at:), or .sqliteInMemory in tests" }
    if missing.contains(.streaming) { return "use .files(in:), or .memory in tests" }
    return "use .settings(at:), .gdbm(at:) or .sqlite(at:), or .memory in tests"
  }

  /// Returns the place of the store, or `nil` in memory, if none of the routes has it.
  ///
  /// Two backends on one file would not see each other's prefixes, and each would take the other's names for its own.
  static func freePlace(
    of choice: BackendChoice, among routes: [Route]
  ) throws(StorageError) -> StorePlace? {
    if let url = choice.url, !url.isFileURL {
      throw StorageError(
        .misuse, "cannot route here: \(quoted(url.absoluteString)) is not the URL of a file",
        cure: "make it with URL(filePath:)", backend: choice.name)
    }
    let place = choice.url.map { StorePlace($0) }
    guard let taken = routes.first(where: { isSame($0, choice, at: place) }) else { return place }
    throw StorageError(
      .misuse,
      "cannot route here: \(taken.kind) already has \(place.map { quoted($0.path) } ?? "this backend")",
      cure: "give both kinds to one call, use(_, for: \(taken.kind), …), or choose another place",
      backend: choice.name)
  }

  private static func isSame(
    _ route: Route, _ choice: BackendChoice, at place: StorePlace?
  ) -> Bool {
    if let place { return route.place == place }
    guard let new = choice.gate?.backend, let old = route.choice.gate?.backend else { return false }
    return new as AnyObject === old as AnyObject
  }
}
