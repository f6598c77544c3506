public import UndercroftFoundation

/// A description of a backend, for choosing the backend of a kind with ``Storage/use(_:for:_:)``.
///
/// The storage opens the backend at its first use. Each backend adds a factory
/// method to this type, so that a choice reads `.files(in: directory)`:
///
/// ```swift
/// extension BackendChoice {
///   public static func paper(in directory: URL) -> BackendChoice {
///     BackendChoice("paper", [.persistent], at: directory) { () throws(StorageError) in
///       try PaperBackend(in: directory)
///     }
///   }
/// }
/// ```
public struct BackendChoice: Sendable {
  /// The short name of the backend, such as "files".
  public var name: String

  /// The capabilities of the opened backend, which are checked when a route is created.
  public var capabilities: Capabilities

  /// The file or folder of the store, or `nil` if the store is only in memory.
  public var url: URL?

  /// The default codec for values whose ``DataKind`` is routed to
  /// this backend, or `nil` to use the default codec of each kind.
  public var codec: (any Codec)?

  /// The closure that opens the backend.
  public var open: @Sendable () throws(StorageError) -> any StorageBackend

  /// The closure that creates the in-memory replacement that
  /// `Storage.inMemory()` uses, or `nil` for the default replacement.
  public var inMemory: (@Sendable () -> BackendChoice)?

  /// The ``Gate`` of a backend that was open when the choice was
  /// created, or `nil` if ``open`` must open or wrap the backend.
  ///
  /// All storages that use the choice share this gate.
  private(set) var gate: Gate?

  /// The prefix that the layers around the backend add to every name.
  private(set) var namePrefix = ""

  /// Whether a layer around the backend encrypts names and values, so that tools can show neither.
  private(set) var isEncrypted = false

  /// Creates a choice from the properties of a backend and a closure that opens the backend.
  public init(
    _ name: String, _ capabilities: Capabilities, at url: URL?, codec: (any Codec)? = nil,
    open: @escaping @Sendable () throws(StorageError) -> any StorageBackend
  ) {
    self.name = name
    self.capabilities = capabilities
    self.url = url
    self.codec = codec
    self.open = open
  }

  /// The address that the manifest stores, or `nil` for an in-memory store.
  public var address: BackendAddress? { url.map { BackendAddress(scheme: name, url: $0) } }

  /// Returns the choice of a backend that is already open.
  ///
  /// Use the same choice in all storages that share the backend. These
  /// storages then also share the cache, the interceptors and the observers.
  public static func backend(_ backend: some StorageBackend) -> BackendChoice {
    var choice = BackendChoice(backend.name, backend.capabilities, at: backend.location) {
      () throws(StorageError) in backend
    }
    choice.gate = Gate(backend)
    return choice
  }

  /// Returns this choice with a layer around its backend.
  ///
  /// - Parameters:
  ///   - lost: the capabilities that the layer removes.
  ///   - gained: the capabilities that the layer adds. If a layer adds
  ///     ``Capabilities/confidential``, tools show neither names nor values of the store.
  ///   - prefix: the prefix that the layer adds to every name.
  ///   - layer: a closure that returns the layer around the opened backend.
  public func wrapped(
    removing lost: Capabilities = [], adding gained: Capabilities = [], prefix: String = "",
    _ layer: @escaping @Sendable (any StorageBackend) throws(StorageError) -> any StorageBackend
  ) -> BackendChoice {
    let inner = self
    var choice = self
    choice.gate = nil
    choice.inMemory = nil
    choice.capabilities = capabilities.subtracting(lost).union(gained)
    choice.namePrefix += prefix
    choice.isEncrypted = isEncrypted || gained.contains(.confidential)
    choice.open = { () throws(StorageError) in try layer(try inner.open()) }
    return choice
  }
}
