import Synchronization
public import UndercroftFoundation

/// The route from a kind to its backend.
///
/// The backend is opened at first use. All copies of a
/// storage share the route and its opened backend.
@usableFromInline
final class Route: Sendable {
  let kind: DataKind
  let choice: BackendChoice
  /// The location of the chosen store, even if another backend is opened instead; `nil` in memory.
  let place: StorePlace?
  let codec: any Codec
  /// The prefix of every name, not empty if several kinds share the backend.
  let prefix: String
  private let opening: Opening

  /// The opened backend, shared by all kinds of one call of ``Storage/use(_:for:)``.
  final class Opening: Sendable {
    private let gate: Mutex<Gate?>
    /// Held while the backend is opened, which may take long.
    ///
    /// If opening leads to the same route again, the lock throws an error instead of deadlocking.
    private let lock = WriterLock(timeout: .seconds(60))
    private let choice: BackendChoice

    init(_ choice: BackendChoice) {
      self.choice = choice
      gate = Mutex(choice.gate)
    }

    var opened: Gate? { gate.withLock { $0 } }

    /// Returns the gate of the backend, and opens the backend if it is not open.
    ///
    /// An error is not remembered: the next call tries again.
    ///
    /// - Parameter prepare: called before the backend is opened.
    func get(before prepare: () throws(StorageError) -> Void) throws(StorageError) -> Gate {
      if let gate = opened { return gate }
      try prepare()
      return try lock.withLock(orThrow: Self.whileOpening) { () throws(StorageError) in
        if let gate = opened { return gate }
        let backend = try choice.open()
        try RouteCheck.promises(of: backend, keep: choice)
        let gate = Gate(backend)
        self.gate.withLock { $0 = gate }
        return gate
      }
    }

    /// Releases the backend that this route opened; the next call opens it again.
    ///
    /// Does nothing if the backend is only in memory, or if the choice was an open backend.
    func close() {
      guard choice.url != nil, choice.gate == nil else { return }
      let closed = gate.withLock { gate in
        defer { gate = nil }
        return gate
      }
      // Released outside the lock, because closing may take as long as opening.
      withExtendedLifetime(closed) {}
    }

    private static func whileOpening(_ error: StorageError) -> StorageError {
      error.code == .misuse
        ? StorageError(
          .misuse, "cannot open a backend: opening it leads to itself",
          suggestion: "let the choice's open closure read no kind that is routed to it")
        : StorageError(.locked, "cannot open a backend: another thread is still opening it")
    }
  }

  init(
    kind: DataKind, choice: BackendChoice, place: StorePlace?, codec: any Codec, prefix: String,
    opening: Opening
  ) {
    self.kind = kind
    self.choice = choice
    self.place = place
    self.codec = codec
    self.prefix = prefix
    self.opening = opening
  }

  var openedGate: Gate? { opening.opened }

  func close() { opening.close() }

  func gate(before prepare: () throws(StorageError) -> Void) throws(StorageError) -> Gate {
    try opening.get(before: prepare)
  }

  /// Returns the name of a key in the backend, which includes the prefix.
  ///
  /// - Parameter isPlain: whether ``Name/isPlain(_:)`` is known to be true for the name.
  func backendName(_ name: String, isPlain: Bool = false) throws(StorageError) -> String {
    if isPlain, prefix.isEmpty { return name }
    return try backendName(checking: name)
  }

  private func backendName(checking name: String) throws(StorageError) -> String {
    try Name.checked(prefix.isEmpty ? name : prefix + name)
  }

  /// Decodes the value of a key with the key's own codec,
  /// or with the codec of this route if the key has none.
  @usableFromInline
  func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: Data, by codec: (any Codec)?, of name: String
  ) throws(StorageError) -> Value {
    do {
      return if let codec {
        try codec.decode(type, from: bytes)
      } else {
        try self.codec.decode(type, from: bytes)
      }
    } catch {
      let failure = CodingFailure(error)
      let reason = (error as? StorageError)?.message ?? "\(failure)"
      throw StorageError(
        .decodingFailed, "cannot decode \(type): \(reason)",
        suggestion:
          "read it as the type that it was saved as, make new fields optional, or remove it",
        backend: (codec ?? self.codec).name, key: name, underlying: failure)
    }
  }

  /// The description of this route for the manifest.
  var description: RouteDescription {
    RouteDescription(
      kind: kind.name, address: choice.address, backend: choice.name, codec: codec.name,
      prefix: choice.namePrefix + prefix, isConfidential: kind.needs.contains(.confidential),
      isSealed: choice.isSealed)
  }
}
