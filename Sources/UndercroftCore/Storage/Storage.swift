import Logging

/// Routes each kind of data to one backend.
///
/// A storage is a value: choose its routes at the one place where the application is put together, then hand copies
/// around. Copies share the opened backends. Routes open at first use.
///
/// ```swift
/// var storage = Storage()
/// try storage.use(.memory, for: .preference)
/// try storage.save(.dark, for: .theme)
/// ```
public struct Storage: Sendable {
  /// One for each kind; so few that going through them beats hashing.
  private(set) var routes: [Route] = []

  /// Called before a route opens for the first time, with all routes: writes the manifest.
  let willOpen: (@Sendable ([RouteDescription]) throws(StorageError) -> Void)?

  /// What opens instead of a choice; the choice itself has been checked before.
  private let substitute: (@Sendable (BackendChoice) -> BackendChoice)?

  /// Told of every problem that a call could not throw, such as an unreadable setting behind `storage[.theme]`.
  ///
  /// Without one they go to the log, under the label "undercroft".
  public var issueHandler: @Sendable (StorageError) -> Void

  /// Makes a storage without routes.
  ///
  /// - Parameter willOpen: called before a route opens for the first time, with the descriptions of all routes.
  public init(
    willOpen: (@Sendable ([RouteDescription]) throws(StorageError) -> Void)? = nil
  ) {
    self.init(willOpen: willOpen, substituting: nil)
  }

  /// Makes a storage without routes that opens something else than what it is given, such as memory in tests.
  package init(
    willOpen: (@Sendable ([RouteDescription]) throws(StorageError) -> Void)? = nil,
    substituting substitute: (@Sendable (BackendChoice) -> BackendChoice)?
  ) {
    self.willOpen = willOpen
    self.substitute = substitute
    let logger = Logger(label: "undercroft")
    self.issueHandler = { logger.error("\($0)") }
  }

  // MARK: Choosing

  /// Routes `kinds` to the chosen backend, replacing their routes; several kinds given together share one
  /// backend, each under its own prefix.
  ///
  /// - Throws: ``StorageError/Code/notSupported`` when the backend does not promise what a kind needs, and
  ///   ``StorageError/Code/misuse`` when another kind was already given the same file or folder.
  public mutating func use(_ choice: BackendChoice, for kinds: DataKind...) throws(StorageError) {
    try route(kinds, to: choice, as: choice.codec)
  }

  /// Routes `kinds` to the chosen backend, with a codec for their values.
  ///
  /// - Throws: as ``use(_:for:)``.
  public mutating func use(
    _ choice: BackendChoice, for kinds: DataKind..., as codec: some Codec
  ) throws(StorageError) {
    try route(kinds, to: choice, as: codec)
  }

  private mutating func route(
    _ kinds: [DataKind], to choice: BackendChoice, as codec: (any Codec)?
  ) throws(StorageError) {
    if kinds.isEmpty {
      throw StorageError(
        .misuse, "cannot route nothing to a backend", cure: "name the kinds: use(_, for: .cache)",
        backend: choice.name)
    }
    for kind in kinds { try RouteCheck.capabilities(of: choice, suffice: kind) }
    let place = try RouteCheck.freePlace(
      of: choice, among: routes.filter { !kinds.contains($0.kind) })
    let choice = substitute?(choice) ?? choice
    let opening = Route.Opening(choice)
    for kind in kinds {
      let prefix = kinds.count > 1 ? "\(kind.name)/" : ""
      routes.removeAll { $0.kind == kind }
      routes.append(
        Route(
          kind: kind, choice: choice, place: place, codec: codec ?? Self.codec(of: kind),
          prefix: prefix, opening: opening))
    }
  }

  /// What is written in chunks is bytes, and can be read whole as such.
  private static func codec(of kind: DataKind) -> any Codec {
    kind.needs.contains(.streaming) ? BytesCodec() : JSONCodec()
  }

  /// What can be told of every route without opening one, sorted by kind.
  public var routeDescriptions: [RouteDescription] {
    routes.map(\.description).sorted { $0.kind < $1.kind }
  }

  // MARK: Reaching a backend

  /// Returns the gate of the backend that `kind` is routed to, opening it at first use.
  ///
  /// - Throws: ``StorageError/Code/unavailable`` when the kind has no route, and whatever opening throws.
  public func gate(for kind: DataKind) throws(StorageError) -> Gate {
    try gate(of: try route(for: kind))
  }

  func gate(of route: Route) throws(StorageError) -> Gate {
    if let gate = route.openedGate { return gate }
    return try open(route)
  }

  private func open(_ route: Route) throws(StorageError) -> Gate {
    try route.gate { () throws(StorageError) in
      try willOpen?(routeDescriptions)
    }
  }

  /// Closes every backend that this storage or a copy of it has opened, which releases their files and locks.
  ///
  /// A backend closes with its last reference: at once, unless a call is using it, or the application holds its ``Gate`` or a database
  /// of it. The next call opens it again. Observers and interceptors end with the gate, and sequences of ``values(of:)`` end. Backends
  /// in memory, and those that were given open, stay as they are.
  public func close() {
    for route in routes { route.close() }
  }

  @usableFromInline
  func route(for kind: DataKind) throws(StorageError) -> Route {
    for route in routes where route.kind == kind { return route }
    throw StorageError(
      .unavailable, "cannot find a backend for \(kind): the kind has no route",
      cure: "call use(_, for: \(kind)) first")
  }
}
