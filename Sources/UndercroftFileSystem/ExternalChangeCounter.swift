package import Synchronization
package import UndercroftCore

/// A counter of the checks in which an open store found changes by other instances of the store.
package struct ExternalChangeCounter: Sendable {
  /// The time in nanoseconds during which the result of a check is reused: 5 ms.
  ///
  /// A cached value may be outdated by this time and by the imprecision of
  /// ``Platform/coarseNow()``, together up to 10 ms. Because the result is reused, most reads of
  /// cached values need no system call.
  package static let maximumStaleness: Int64 = 5_000_000

  /// The number of checks that found changes by other instances of the store.
  ///
  /// When the number changes, all cached values of the store are outdated.
  package var value: UInt64 = 0
  /// The time of ``Platform/coarseNow()``, in nanoseconds,
  /// at which the last successful check began.
  @usableFromInline var lastCheck: Int64 = 0

  /// Creates a counter for a store that was not checked yet, so that ``isDue(at:)`` returns `true`.
  package init() {}

  /// Returns whether the last successful check is older than ``maximumStaleness``.
  @inlinable
  package func isDue(at now: Int64) -> Bool { now - lastCheck > Self.maximumStaleness }

  /// Records that a successful check began at `start`.
  @inlinable
  package mutating func didCheck(at start: Int64) { lastCheck = start }

  /// Increments ``value`` by one, regardless of how many changes a check has found.
  package mutating func increment() { value &+= 1 }
}

/// The part of an open store that reads the disk to detect changes by other instances of the
/// store.
package protocol ExternalChangeDetector: ~Copyable {
  /// The counter of the checks in which this store found changes by other instances of the store.
  var externalChanges: ExternalChangeCounter { get set }

  /// Checks the disk for changes by other instances of the store, reads these changes, and
  /// increments ``externalChanges`` if there are any.
  mutating func readExternalChanges() throws(StorageError)
}

extension ExternalChangeDetector where Self: ~Copyable {
  /// Checks the disk for changes by other instances of the store, and records the time of the
  /// check.
  @inlinable
  package mutating func refresh() throws(StorageError) {
    let start = Platform.coarseNow()
    try readExternalChanges()
    externalChanges.didCheck(at: start)
  }

  /// Checks the disk for changes by other instances of the store, unless the last successful check
  /// is at most ``ExternalChangeCounter/maximumStaleness`` old.
  @inlinable
  package mutating func refreshIfDue() throws(StorageError) {
    let start = Platform.coarseNow()
    guard externalChanges.isDue(at: start) else { return }
    try readExternalChanges()
    externalChanges.didCheck(at: start)
  }

  /// Returns the number of checks that found changes by other instances of the store, after a new
  /// check if one is due.
  ///
  /// A cached value remains valid while this number does not change.
  ///
  /// The last check may be as old as ``ExternalChangeCounter/maximumStaleness``. If the store
  /// cannot be read, the function returns the last number.
  @inlinable
  package mutating func knownChangeCount() -> UInt64 {
    try? refreshIfDue()
    return externalChanges.value
  }

  /// Checks the disk for changes by other instances of the store, and returns the number of checks
  /// that found such changes.
  @inlinable
  package mutating func currentChangeCount() throws(StorageError) -> UInt64 {
    try refresh()
    return externalChanges.value
  }
}

extension Mutex where Value: ExternalChangeDetector, Value: ~Copyable {
  /// Returns the number of checks that found changes by other instances of the store, like
  /// ``ExternalChangeDetector/knownChangeCount()``.
  package borrowing func knownChangeCount() -> UInt64 { withLock { $0.knownChangeCount() } }

  /// Checks the disk for changes by other instances of the store, and returns the number of checks
  /// that found such changes.
  package borrowing func currentChangeCount() throws(StorageError) -> UInt64 {
    try withLock { (state) throws(StorageError) in try state.currentChangeCount() }
  }
}
