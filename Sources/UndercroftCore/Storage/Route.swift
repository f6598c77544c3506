import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The way from a kind to its opened backend: opened at first use, then shared by every copy of the storage.
@usableFromInline
final class Route: Sendable {
  let kind: DataKind
  let choice: BackendChoice
  /// Where the store was to be, even when another opens instead of it.
  let place: StorePlace?
  let codec: any Codec
  /// Put before every name, where several kinds share the backend.
  let prefix: String
  private let opening: Opening

  /// The opened backend, shared by the routes that were made together.
  final class Opening: Sendable {
    private let gate: Mutex<Gate?>
    /// Held while opening, which may take long and must not lead to itself.
    private let lock = WriterLock(timeout: .seconds(60))
    private let choice: BackendChoice

    init(_ choice: BackendChoice) {
      self.choice = choice
      gate = Mutex(choice.gate)
    }

    var opened: Gate? { gate.withLock { $0 } }

    /// Opens at the first call; a failure is not remembered, so that the next call tries again.
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

    /// Releases the backend that was opened here, unless it is in memory alone or was given open; the next call opens it again.
    func close() {
      guard choice.url != nil, choice.gate == nil else { return }
      let closed = gate.withLock { gate in
        defer { gate = nil }
        return gate
      }
      // Released outside of the lock: closing may take as long as opening.
      withExtendedLifetime(closed) {}
    }

    private static func whileOpening(_ error: StorageError) -> StorageError {
      error.code == .misuse
        ? StorageError(
          .misuse, "cannot open a backend: opening it leads to itself",
          cure: "let the choice's open closure read no kind that is routed to it")
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

  /// Returns the name that the backend sees, of a key whose name may have been found plain before.
  func backendName(_ name: String, isPlain: Bool = false) throws(StorageError) -> String {
    if isPlain, prefix.isEmpty { return name }
    return try backendName(checking: name)
  }

  private func backendName(checking name: String) throws(StorageError) -> String {
    try Name.checked(prefix.isEmpty ? name : prefix + name)
  }

  /// Returns the value that `bytes` stand for, by the key's codec or this route's.
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
        cure: "read it as the type that it was saved as, make new fields optional, or remove it",
        backend: (codec ?? self.codec).name, key: name, underlying: failure)
    }
  }

  /// What the manifest writes down about this route.
  var description: RouteDescription {
    RouteDescription(
      kind: kind.name, address: choice.address, backend: choice.name, codec: codec.name,
      prefix: choice.namePrefix + prefix, isConfidential: kind.needs.contains(.confidential),
      isSealed: choice.isSealed)
  }
}
