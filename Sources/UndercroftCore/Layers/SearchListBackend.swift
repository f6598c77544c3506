import Synchronization
public import UndercroftFoundation

/// A backend that searches several backends in order, and writes to only one of them, the primary
/// backend.
///
/// The backends that are read before the primary backend are the overrides, such as arguments of
/// the command line. The backends that are read after it are the fallbacks, such as registered
/// defaults. `UserDefaults` searches its domains in the same order.
///
/// The list never writes to its overrides and fallbacks, but other code can write to them directly.
/// If all overrides and fallbacks count their writes, as ``MemoryBackend`` does, settings that are
/// read through the list can be cached. If any of them does not count its writes, every read
/// searches the list again. Observers are notified of every write to an override or fallback that
/// counts its writes. For any other override or fallback, observers are notified only of changes by
/// other processes.
public struct SearchListBackend: LayeredBackend {
  private let overrides: [any StorageBackend]
  let primary: any StorageBackend
  private let fallbacks: [any StorageBackend]
  /// A counter that makes the result of ``externalChangeCount()`` different at every call, or `nil`
  /// if all overrides and fallbacks count their writes.
  ///
  /// The different results prevent values from being cached.
  private let reads: ReadCount?
  private let counters: [@Sendable () -> UInt64]

  /// Creates a search list.
  ///
  /// - Parameters:
  ///   - overrides: backends that are read before `primary`
  ///     and never written, such as values of the command line.
  ///   - primary: the backend that is written, which determines the capabilities of the list.
  ///   - fallbacks: backends that are read after `primary`
  ///     and never written, such as registered defaults.
  public init(
    overrides: [any StorageBackend] = [], primary: any StorageBackend,
    fallbacks: [any StorageBackend] = []
  ) {
    self.overrides = overrides
    self.primary = primary
    self.fallbacks = fallbacks
    reads = (overrides + fallbacks).allSatisfy(\.countsEveryChange) ? nil : ReadCount()
    counters =
      [primary.counterOfChangesBehindGate()]
      + (overrides + fallbacks).map { $0.counterOfEveryChange() }
  }

  private final class ReadCount: Sendable {
    private let number = Atomic<UInt64>(0)
    func next() -> UInt64 { number.add(1, ordering: .relaxed).newValue }
  }

  public var name: String { primary.name }
  public var location: URL? { primary.location }
  public var capabilities: Capabilities {
    primary.capabilities.subtracting(.lostInLayers)
      .union(.orderedKeys)
  }

  public var upstreams: [any StorageBackend] { overrides + [primary] + fallbacks }
  public func upstreamName(of name: String) -> String? { name }

  public func read(_ key: String) throws(StorageError) -> Data? {
    for backend in upstreams {
      if let bytes = try backend.read(key) { return bytes }
    }
    return nil
  }

  public func externalChangeCount() -> UInt64 {
    let count = counters.reduce(UInt64(0)) { $0.combined(with: $1()) }
    return reads.map { count.combined(with: $0.next()) } ?? count
  }

  public func watchExternalChanges(
    _ handler: @escaping @Sendable () -> Void
  ) throws(StorageError) -> any ExternalWatch {
    var watches: [any ExternalWatch] = []
    if let primary = primary as? any SharedBackend {
      watches.append(try primary.watchExternalChanges(handler))
    }
    for backend in overrides + fallbacks { watches += try backend.watchEveryChange(handler) }
    return LayeredWatch(watches)
  }

  public func apply(_ changes: [StorageChange]) throws(StorageError) { try primary.apply(changes) }

  /// Runs `body` with exclusive access to the primary backend alone,
  /// because the list never writes to its overrides and fallbacks.
  public func withExclusiveAccess<Result>(_ body: () throws -> Result) throws -> Result {
    try primary.withExclusiveAccessIfShared(body)
  }

  public func withWriterLock<Result>(_ body: () throws -> Result) throws -> Result {
    try primary.withWriterLockIfExclusive(body)
  }

  public func keys(withPrefix prefix: String) throws(StorageError) -> [String] {
    var names: Set<ExactString> = []
    for backend in upstreams {
      names.formUnion(try backend.keys(withPrefix: prefix).lazy.map(\.exact))
    }
    return names.sorted().map(\.text)
  }
}

extension BackendChoice {
  /// Returns a choice that reads `overrides` before this choice's backend
  /// and `fallbacks` after it, and writes only to this choice's backend.
  public func searching(
    overrides: [any StorageBackend] = [], fallbacks: [any StorageBackend] = []
  ) -> BackendChoice {
    wrapped(removing: .lostInLayers, adding: .orderedKeys) {
      SearchListBackend(overrides: overrides, primary: $0, fallbacks: fallbacks)
    }
  }
}
