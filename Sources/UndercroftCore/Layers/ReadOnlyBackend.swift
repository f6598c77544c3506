public import UndercroftFoundation

/// A backend that forwards reads and rejects every write.
public struct ReadOnlyBackend: LayeredBackend {
  private let upstream: any StorageBackend

  /// Creates a read-only view of `upstream`.
  public init(_ upstream: any StorageBackend) {
    self.upstream = upstream
  }

  public var upstreams: [any StorageBackend] { [upstream] }
  public func upstreamName(of name: String) -> String? { name }
  public var name: String { upstream.name }
  public var location: URL? { upstream.location }
  public var capabilities: Capabilities {
    upstream.capabilities.subtracting(.lostInLayers)
  }

  public func read(_ key: String) throws(StorageError) -> Data? { try upstream.read(key) }

  public func apply(_ changes: [StorageChange]) throws(StorageError) {
    guard let first = changes.first else { return }
    throw StorageError(
      .accessDenied,
      """
      cannot change a value of the backend \(quoted(name)): the application made this backend \
      read-only
      """,
      suggestion: "write with a storage whose backend has no .readOnly() layer", backend: name,
      key: first.name)
  }

  /// Runs `body` without a lock, because every write is
  /// rejected and need not wait for other writers.
  public func withWriterLock<Result>(_ body: () throws -> Result) throws -> Result {
    try body()
  }

  public func keys(withPrefix prefix: String) throws(StorageError) -> [String] {
    try upstream.keys(withPrefix: prefix)
  }
}

extension BackendChoice {
  /// Returns a read-only variant of this choice, whose backend rejects every write.
  public func readOnly() -> BackendChoice {
    wrapped(removing: .lostInLayers) { ReadOnlyBackend($0) }
  }
}
