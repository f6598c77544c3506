import Synchronization
public import UndercroftCore
public import UndercroftFoundation

/// An in-memory backend without optional capabilities, for testing
/// code that must work with every backend.
///
/// The backend applies a batch change by change, and stops at a change whose name has more than 255
/// bytes. So if a batch fails, the changes before the failure remain, as in every backend without
/// ``Capabilities/atomicBatches``.
public final class MinimalBackend: StorageBackend {
  private let values = Mutex<[ExactString: Data]>([:])

  /// Creates an empty backend.
  public init() {}

  public var name: String { "minimal" }
  public var location: URL? { nil }
  public var capabilities: Capabilities { [] }

  public func read(_ key: String) throws(StorageError) -> Data? {
    values.withLock { $0[ExactString(key)] }
  }

  public func apply(_ changes: [StorageChange]) throws(StorageError) {
    for change in changes {
      guard change.name.utf8.count <= 255 else {
        throw StorageError(
          .invalidKey,
          """
          cannot use the entry name that begins with \
          \(quoted(String(change.name.unicodeScalars.prefix(80)))): the name has \
          \(change.name.utf8.count) bytes, and the limit is 255 bytes
          """,
          suggestion: "use a name of at most 255 bytes", backend: name,
          key: change.name)
      }
      values.withLock { values in
        switch change {
        case .set(let name, let bytes): values[ExactString(name)] = bytes
        case .remove(let name): values[ExactString(name)] = nil
        }
      }
    }
  }

  public func keys(withPrefix prefix: String) throws(StorageError) -> [String] {
    values.withLock { $0.keys.map(\.text).filter { $0.utf8.starts(with: prefix.utf8) } }
  }
}
