#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A backend that has been chosen but not opened yet: what an application hands to ``Storage/use(_:for:)``.
///
/// Each backend adds a factory to this type, so that a choice reads `.files(in: directory)`:
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

  /// What the backend will promise; checked when a route is made, before anything is opened.
  public var capabilities: Capabilities

  /// The file or folder of the store, or `nil` when it is nowhere but in memory.
  public var url: URL?

  /// The codec for values of kinds routed here, unless the route names one.
  public var codec: (any Codec)?

  /// Opens the backend.
  public var open: @Sendable () throws(StorageError) -> any StorageBackend

  /// What stands in for it where everything is kept in memory, such as in tests, opened as it is itself; `nil`: any backend that does.
  public var inMemory: (@Sendable () -> BackendChoice)?

  /// The gate of a backend that is open already: one, however often the choice is used.
  private(set) var gate: Gate?

  /// What layers put before every name.
  private(set) var namePrefix = ""

  /// Whether a layer seals names and values, so that looking into the store shows neither.
  private(set) var isSealed = false

  /// Makes a choice from what is known before opening and the way to open it.
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

  /// What the manifest writes down, or `nil` for a store in memory.
  public var address: BackendAddress? { url.map { BackendAddress(scheme: name, url: $0) } }

  /// Chooses a backend that is open already.
  ///
  /// Several storages that share it take the same choice, so that all writes pass one ``Gate``.
  public static func backend(_ backend: some StorageBackend) -> BackendChoice {
    var choice = BackendChoice(backend.name, backend.capabilities, at: backend.location) {
      () throws(StorageError) in backend
    }
    choice.gate = Gate(backend)
    return choice
  }

  /// Returns the choice of a layer around this one.
  ///
  /// - Parameters:
  ///   - lost: the promises that the layer does not pass on.
  ///   - gained: the promises that it makes; one that makes the store confidential seals it for tools as well.
  ///   - prefix: what it puts before every name.
  public func layered(
    losing lost: Capabilities = [], gaining gained: Capabilities = [], prefix: String = "",
    _ layer: @escaping @Sendable (any StorageBackend) throws(StorageError) -> any StorageBackend
  ) -> BackendChoice {
    let inner = self
    var choice = self
    choice.gate = nil
    choice.inMemory = nil
    choice.capabilities = capabilities.subtracting(lost).union(gained)
    choice.namePrefix += prefix
    choice.isSealed = isSealed || gained.contains(.confidential)
    choice.open = { () throws(StorageError) in try layer(try inner.open()) }
    return choice
  }
}
