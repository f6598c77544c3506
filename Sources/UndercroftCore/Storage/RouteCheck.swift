import UndercroftFoundation

/// The checks that a chosen backend suits a kind, and that the opened backend suits the choice.
enum RouteCheck {
  static func capabilities(
    of choice: BackendChoice, suffice kind: DataKind
  ) throws(StorageError) {
    let missing = kind.requiredCapabilities.subtracting(choice.capabilities)
    if missing.isEmpty { return }
    throw StorageError(
      .notSupported,
      """
      cannot route the kind \(kind) to the backend \(quoted(choice.name)): the kind requires \
      capabilities that the backend does not have: \(missing)
      """,
      suggestion: suggestion(for: missing), backend: choice.name)
  }

  /// Throws if the opened backend lacks a capability that its choice declares.
  static func opened(
    _ backend: any StorageBackend, matches choice: BackendChoice
  ) throws(StorageError) {
    let missing = choice.capabilities.subtracting(backend.capabilities)
    if missing.isEmpty { return }
    throw StorageError(
      .misuse,
      """
      cannot open the backend \(quoted(backend.name)): the BackendChoice declares capabilities \
      that the opened backend does not have: \(missing)
      """,
      suggestion: "declare in the BackendChoice only capabilities of the opened backend",
      backend: backend.name)
  }

  /// Returns the advice for the error that is thrown if no backend was chosen for `kind`.
  static func suggestion(forMissingRouteOf kind: DataKind) -> String {
    #if !Secrets
      if kind.requiredCapabilities.contains(.confidential) {
        return """
          call use(_, for: \(kind)) on the storage first, or \(enablingSecrets) for the default \
          backend
          """
      }
    #endif
    return "call use(_, for: \(kind)) on the storage first"
  }

  #if !Secrets
    private static let enablingSecrets = "enable the trait \"Secrets\" of the package undercroft"
  #endif

  private static func suggestion(for missing: Capabilities) -> String {
    if missing.contains(.confidential) {
      #if Secrets
        return """
          use .vault(at:unlockedBy:), or encrypt this backend with .encrypted(with:); in tests, \
          use .memory
          """
      #else
        return "\(enablingSecrets) and use .vault(at:unlockedBy:); in tests, use .memory"
      #endif
    }
    if missing.contains(.relational) { return "use .sqlite(at:); in tests, use .sqliteInMemory" }
    if missing.contains(.streaming) { return "use .files(in:); in tests, use .memory" }
    return "use .settings(at:), .gdbm(at:) or .sqlite(at:)"
  }

  /// Verifies that no route uses the store of `choice`, and returns
  /// the location of the store, or `nil` if the store is in memory.
  ///
  /// Two backends on one file could use the same prefixes. Each backend would then treat the names
  /// that the other backend stores as its own names.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if one of the routes uses the same
  ///   location or the same open backend, or if the URL is not a file URL.
  static func freeLocation(
    of choice: BackendChoice, for kinds: [DataKind], among routes: [Route]
  ) throws(StorageError) -> StoreLocation? {
    if let url = choice.url, !url.isFileURL {
      throw StorageError(
        .misuse,
        """
        cannot use the backend \(quoted(choice.name)) in a route: its location \
        \(quoted(url.absoluteString)) is not a file URL
        """,
        suggestion: "create the URL with URL(filePath:)", backend: choice.name)
    }
    let location = choice.url.map { StoreLocation($0) }
    guard let taken = routes.first(where: { isSame($0, choice, at: location) }) else {
      return location
    }
    let names = kinds.map { "the kind \($0)" }.joined(separator: " and ")
    throw StorageError(
      .misuse,
      """
      cannot use the backend \(quoted(choice.name)) for \(names): the kind \(taken.kind) already \
      uses \(location.map { quoted($0.path) } ?? "the same backend")
      """,
      suggestion: """
        pass all these kinds to one call, use(_, for: \(taken.kind), …), or choose another \
        \(location == nil ? "backend" : "location")
        """,
      backend: choice.name)
  }

  private static func isSame(
    _ route: Route, _ choice: BackendChoice, at location: StoreLocation?
  ) -> Bool {
    if let location { return route.location == location }
    guard let new = choice.gate?.backend, let old = route.choice.gate?.backend else { return false }
    return new as AnyObject === old as AnyObject
  }
}
