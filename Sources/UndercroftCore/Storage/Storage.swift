import Logging

/// The storage of an application, which routes each kind of data to one backend.
///
/// A storage is a value type. Choose its routes in one place, where the
/// application is set up, and pass copies to the other parts. All copies share
/// the opened backends. A backend is opened at the first use of its route.
///
/// ```swift
/// var storage = Storage()
/// try storage.use(.memory, for: .preference)
/// try storage.save(.dark, for: .theme)
/// ```
public struct Storage: Sendable {
  /// The routes of this storage, one for each kind of data that has a backend.
  ///
  /// The routes are in an array, because a linear search is faster than hashing for so few routes.
  private(set) var routes: [Route] = []

  /// A closure that writes the manifest, or `nil` if no manifest is written.
  ///
  /// It is called with the descriptions of all routes before each opening of a backend.
  let willOpen: (@Sendable ([RouteDescription]) throws(StorageError) -> Void)?

  /// A closure that replaces a validated backend choice with the choice that is opened.
  ///
  /// If this property is `nil`, the validated choice itself is opened.
  private let substitute: (@Sendable (BackendChoice) -> BackendChoice)?

  /// The closure that receives every error that a call cannot throw,
  /// such as the error for an unreadable setting in `storage[.theme]`.
  ///
  /// By default, errors are logged with the label "undercroft".
  public var issueHandler: @Sendable (StorageError) -> Void

  /// Creates a storage without routes.
  ///
  /// - Parameter willOpen: called with the descriptions of
  ///   all routes each time before a backend is opened.
  public init(
    willOpen: (@Sendable ([RouteDescription]) throws(StorageError) -> Void)? = nil
  ) {
    self.init(willOpen: willOpen, substituting: nil)
  }

  /// Creates a storage without routes that opens a substitute for
  /// each chosen backend, such as an in-memory backend in tests.
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

  /// Routes one or more kinds to the chosen backend, replacing their present routes.
  ///
  /// Several kinds of one call share the backend, and each has its own prefix. The size
  /// limit of a kind in this call applies, even if the kind of a key has another limit.
  ///
  /// - Throws: ``StorageError/Code/notSupported`` if the backend lacks a capability
  ///   that a kind requires, and ``StorageError/Code/misuse`` if another kind
  ///   already uses the same file or folder, or if the location is not a file URL.
  public mutating func use(
    _ choice: BackendChoice, for kind: DataKind, _ others: DataKind...
  ) throws(StorageError) {
    try route([kind] + others, to: choice, as: choice.codec)
  }

  /// Routes one or more kinds to the chosen backend, and encodes their values with `codec`.
  ///
  /// - Throws: the same errors as ``use(_:for:_:)``.
  public mutating func use(
    _ choice: BackendChoice, for kind: DataKind, _ others: DataKind..., as codec: some Codec
  ) throws(StorageError) {
    try route([kind] + others, to: choice, as: codec)
  }

  private mutating func route(
    _ kinds: [DataKind], to choice: BackendChoice, as codec: (any Codec)?
  ) throws(StorageError) {
    for kind in kinds { try RouteCheck.capabilities(of: choice, suffice: kind) }
    let location = try RouteCheck.freeLocation(
      of: choice, for: kinds, among: routes.filter { !kinds.contains($0.kind) })
    let choice = substitute?(choice) ?? choice
    let gate = LazyGate(choice)
    for kind in kinds {
      let prefix = kinds.count > 1 ? "\(kind.name)/" : ""
      routes.removeAll { $0.kind == kind }
      routes.append(
        Route(
          RouteCoding(
            kind: kind, codec: codec ?? Self.codec(of: kind), prefix: prefix,
            backend: choice.name),
          to: choice, at: location, gate))
    }
  }

  /// Returns the default codec of a kind, for a route without a chosen codec.
  ///
  /// Values of a kind that requires streaming can be written in chunks, which are stored without
  /// encoding. For such a kind, the codec is therefore ``BytesCodec``, which can read these values
  /// as a whole. For any other kind, the codec is ``JSONCodec``.
  private static func codec(of kind: DataKind) -> any Codec {
    kind.requiredCapabilities.contains(.streaming) ? BytesCodec() : JSONCodec()
  }

  /// The descriptions of all routes, sorted by kind; reading this property opens no backend.
  public var routeDescriptions: [RouteDescription] {
    routes.map(\.description).sorted { $0.kind < $1.kind }
  }

  // MARK: Reaching a backend

  /// Returns the gate of the backend of `kind`, and opens the backend if it is not open.
  ///
  /// - Throws: ``StorageError/Code/unavailable`` if the kind has
  ///   no route, and any error that opening the backend throws.
  package func gate(for kind: DataKind) throws(StorageError) -> Gate {
    try gate(of: try route(for: kind))
  }

  func gate(of route: Route) throws(StorageError) -> Gate {
    if let gate = route.gate.opened { return gate }
    return try open(route)
  }

  private func open(_ route: Route) throws(StorageError) -> Gate {
    try route.gate.open { () throws(StorageError) in try willOpen?(routeDescriptions) }
  }

  /// Closes every backend that this storage or a copy of it has
  /// opened, and releases the files and locks of these backends.
  ///
  /// A backend closes when its last reference is released: immediately, unless a call is using the
  /// backend or the application holds one of its databases. The next call opens the backend again.
  /// Observers and interceptors end with the backend, and so do the sequences of ``values(of:)``.
  /// In-memory backends remain open, and so do backends that the application opened itself before
  /// it passed them to the storage.
  public func close() {
    for route in routes { route.gate.close() }
  }

  @usableFromInline
  func route(for kind: DataKind) throws(StorageError) -> Route {
    for route in routes where route.kind == kind { return route }
    throw StorageError(
      .unavailable,
      "cannot find a backend for the kind \(kind): the storage has no route for this kind",
      suggestion: RouteCheck.suggestion(forMissingRouteOf: kind))
  }
}
