import Dispatch
import Synchronization
public import UndercroftFoundation

/// A backend that stores values in memory until it is released,
/// for tests and for data that must not reach a disk.
///
/// The backend has all capabilities that need neither a disk nor tables. It is
/// ``Capabilities/confidential``, because its values are never written to a disk.
public final class MemoryBackend: StreamingBackend, ExclusiveAccessBackend, WriteCountingBackend {
  private let values = Mutex<[ExactString: Data]>([:])
  /// The lock that excludes other writers during an edit.
  ///
  /// Readers only lock `values`.
  private let writer = WriterLock(backend: "memory")
  private let writes = Atomic<UInt64>(0)
  private let watchers = Mutex(Registry<@Sendable () -> Void>())
  private let queue = DispatchQueue(label: "undercroft.memory")

  /// Creates an empty backend.
  public init() {}

  /// The capabilities of every in-memory backend.
  public static let capabilities: Capabilities = [
    .confidential, .atomicBatches, .orderedKeys, .streaming, .inspectable,
  ]

  public var name: String { "memory" }
  public var location: URL? { nil }
  public var capabilities: Capabilities { Self.capabilities }

  public func read(_ key: String) throws(StorageError) -> Data? {
    values.withLock { $0[key.exact] }
  }

  public func apply(_ changes: [StorageChange]) throws(StorageError) {
    try writer.lockRecursively()
    values.withLock { values in
      for change in changes {
        switch change {
        case .set(let name, let bytes): values[name.exact] = bytes
        case .remove(let name): values[name.exact] = nil
        }
      }
    }
    writer.unlock()
    writes.add(1, ordering: .releasing)
    let watchers = watchers.withLock { $0.values }
    if !watchers.isEmpty { queue.async { for watcher in watchers { watcher() } } }
  }

  public func writeCount() -> UInt64 { writes.load(ordering: .acquiring) }

  public func watchWrites(_ handler: @escaping @Sendable () -> Void) -> any ExternalWatch {
    let id = watchers.withLock { $0.add(handler) }
    return MemoryWatch(
      Registration { [weak self] in
        let removed = self?.watchers.withLock { $0.remove(id) }
        withExtendedLifetime(removed) {}
      })
  }

  public func withExclusiveAccess<Result>(_ body: () throws -> Result) throws -> Result {
    try writer.lockRecursively()
    defer { writer.unlock() }
    return try body()
  }

  public func keys(withPrefix prefix: String) throws(StorageError) -> [String] {
    values.withLock { $0.keys.filter { $0.begins(with: prefix) } }.sorted().map(\.text)
  }

  public func reader(for key: String) throws(StorageError) -> (any StreamReader)? {
    try read(key).map(MemoryReader.init)
  }

  public func writer(for key: String) throws(StorageError) -> any StreamWriter {
    MemoryWriter { (bytes) throws(StorageError) in try self.apply([.set(key, bytes)]) }
  }

  /// The sizes of all values in bytes, in an undefined order.
  package var byteCounts: [Int] { values.withLock { $0.values.map(\.count) } }
}

extension BackendChoice {
  /// The choice of a backend that stores values only in memory, for tests.
  ///
  /// The backend can store every kind of data except relational tables.
  public static var memory: BackendChoice {
    BackendChoice("memory", MemoryBackend.capabilities, at: nil) { () throws(StorageError) in
      MemoryBackend()
    }
  }
}

private final class MemoryWatch: ExternalWatch {
  private let registration: Registration

  init(_ registration: Registration) { self.registration = registration }
}

private final class MemoryReader: StreamReader {
  private var rest: Data
  let size: Int

  init(_ bytes: Data) {
    rest = bytes
    size = bytes.count
  }

  func read(upTo count: Int) throws(StorageError) -> Data? {
    guard !rest.isEmpty else { return nil }
    defer { rest = rest.dropFirst(max(1, count)) }
    return Data(rest.prefix(max(1, count)))
  }
}

private final class MemoryWriter: StreamWriter {
  private var bytes = Data()
  private let store: (Data) throws(StorageError) -> Void

  init(_ store: @escaping (Data) throws(StorageError) -> Void) {
    self.store = store
  }

  func write(_ chunk: Data) throws(StorageError) { bytes.append(chunk) }

  func finish() throws(StorageError) { try store(bytes) }
}
