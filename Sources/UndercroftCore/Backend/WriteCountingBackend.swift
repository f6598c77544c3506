/// A backend that counts and reports every write made through it, whichever gate or caller made it.
///
/// A search list reads its overrides and fallbacks without writing to them. Settings that were read through the list stay up to
/// date where these backends count their writes; otherwise they are not cached.
public protocol WriteCountingBackend: StorageBackend {
  /// A number that differs after every write through this backend.
  func writeCount() -> UInt64

  /// Calls `handler` on a queue of the backend's own after each write through it, until the watch is released.
  ///
  /// Several writes in a row may arrive as one call.
  func watchWrites(_ handler: @escaping @Sendable () -> Void) -> any ExternalWatch
}

extension StorageBackend {
  /// Whether ``counterOfEveryChange()`` counts every change, also one that was made through this very backend.
  var countsEveryChange: Bool {
    if self is any WriteCountingBackend { return true }
    guard let layer = self as? any LayeredBackend else { return false }
    return layer.upstreams.allSatisfy(\.countsEveryChange)
  }

  /// Returns what counts the changes by anyone, as far as this backend can tell; the casts cost more than the counting.
  func counterOfEveryChange() -> @Sendable () -> UInt64 {
    if let counting = self as? any WriteCountingBackend { return { counting.writeCount() } }
    if let layer = self as? any LayeredBackend {
      let counters = layer.upstreams.map { $0.counterOfEveryChange() }
      return { counters.reduce(0) { $0.combined(with: $1()) } }
    }
    return counterOfChangesBehindGate()
  }

  /// Returns what counts the changes by anything but the gate of a layer above, as far as this backend can tell.
  func counterOfChangesBehindGate() -> @Sendable () -> UInt64 {
    if let shared = self as? any SharedBackend { return { shared.externalChangeCount() } }
    if let counting = self as? any WriteCountingBackend { return { counting.writeCount() } }
    return { 0 }
  }

  /// Calls `handler` after a change by anyone, as far as this backend can tell.
  func watchEveryChange(
    _ handler: @escaping @Sendable () -> Void
  ) throws(StorageError) -> [any ExternalWatch] {
    if let counting = self as? any WriteCountingBackend { return [counting.watchWrites(handler)] }
    guard let layer = self as? any LayeredBackend else {
      guard let shared = self as? any SharedBackend else { return [] }
      return [try shared.watchExternalChanges(handler)]
    }
    var watches: [any ExternalWatch] = []
    for upstream in layer.upstreams { watches += try upstream.watchEveryChange(handler) }
    return watches
  }
}

extension UInt64 {
  /// Not a plain sum: the count of a backend need not grow, so two changes could cancel each other.
  func combined(with count: UInt64) -> UInt64 { (self &* 0x100_0000_01b3) &+ count }
}
