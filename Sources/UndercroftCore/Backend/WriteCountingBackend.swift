/// A backend that counts and reports all writes that are made through it, by any caller.
///
/// A ``SearchListBackend`` reads some backends to which it never writes. If
/// all these backends count their writes, settings that are read through
/// the list can be cached. Otherwise, these settings are not cached.
public protocol WriteCountingBackend: StorageBackend {
  /// Returns a number that changes with every write through this backend.
  func writeCount() -> UInt64

  /// Calls `handler` after each write through this backend, until the returned watch is released.
  ///
  /// The handler runs on a queue of the backend. One call may report several writes.
  func watchWrites(_ handler: @escaping @Sendable () -> Void) -> any ExternalWatch
}

extension StorageBackend {
  /// Whether ``counterOfEveryChange()`` counts every change,
  /// including the changes made through this backend.
  var countsEveryChange: Bool {
    if self is any WriteCountingBackend { return true }
    guard let layer = self as? any LayeredBackend else { return false }
    return layer.upstreams.allSatisfy(\.countsEveryChange)
  }

  /// Returns a closure whose result differs after each
  /// change, by any writer, that this backend can detect.
  ///
  /// Callers store the closure: creating it needs dynamic casts, which take longer than calling it.
  func counterOfEveryChange() -> @Sendable () -> UInt64 {
    if let counting = self as? any WriteCountingBackend { return { counting.writeCount() } }
    if let layer = self as? any LayeredBackend {
      let counters = layer.upstreams.map { $0.counterOfEveryChange() }
      return { counters.reduce(0) { $0.combined(with: $1()) } }
    }
    return counterOfChangesBehindGate()
  }

  /// Returns a closure whose result differs after each
  /// change that bypassed the ``Gate`` of this backend.
  ///
  /// Only changes that this backend can detect are counted. For a
  /// ``WriteCountingBackend``, the result differs after writes through the gate
  /// as well. For a backend that detects no such changes, the result is always 0.
  func counterOfChangesBehindGate() -> @Sendable () -> UInt64 {
    if let shared = self as? any SharedBackend { return { shared.externalChangeCount() } }
    if let counting = self as? any WriteCountingBackend { return { counting.writeCount() } }
    return { 0 }
  }

  /// Calls `handler` after each change, by any writer, that this
  /// backend can detect, until the returned watches are released.
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
  /// Combines two counts into one number that changes if either count changes.
  ///
  /// A sum would not be sufficient: because a count may
  /// decrease, two changes could cancel each other.
  func combined(with count: UInt64) -> UInt64 { (self &* 0x100_0000_01b3) &+ count }
}
