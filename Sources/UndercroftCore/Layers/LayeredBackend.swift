/// A backend that stands on others, and passes on their reports of changes from outside and their exclusive access.
///
/// Without that a layer would hide other processes' writes, settings read through it would grow
/// stale, and its edits would not be atomic across processes. Conforming takes ``upstreams`` alone; if
/// none of them is shared, the layer reports no change from outside.
public protocol LayeredBackend: SharedBackend, ExclusiveAccessBackend {
  /// The backends beneath, in the order in which they are read.
  var upstreams: [any StorageBackend] { get }

  /// Returns the name under which the backend beneath stores the value of `name`, or `nil` if that name
  /// is unknown.
  ///
  /// With this name a gate on the layer decides whether a write through another gate of the same
  /// database concerns an observer. The default is `nil`: every observer is then notified of each such
  /// write.
  func upstreamName(of name: String) -> String?
}

extension LayeredBackend {
  public func upstreamName(of name: String) -> String? { nil }

  public func externalChangeCount() -> UInt64 {
    upstreams.reduce(0) { $0.combined(with: $1.counterOfChangesBehindGate()()) }
  }

  public func watchExternalChanges(_ handler: @escaping @Sendable () -> Void)
    throws(StorageError) -> any ExternalWatch
  {
    var watches: [any ExternalWatch] = []
    for case let shared as any SharedBackend in upstreams {
      watches.append(try shared.watchExternalChanges(handler))
    }
    return LayeredWatch(watches)
  }

  /// Runs `body` with exclusive access to every upstream that offers it; a layer that writes to some alone needs those alone.
  public func withExclusiveAccess<Result>(_ body: () throws -> Result) throws -> Result {
    try withExclusiveAccess(to: upstreams[...], body)
  }

  /// Runs `body` with the writer lock of every upstream that has one; a layer that writes to some alone needs those alone.
  public func withWriterLock<Result>(_ body: () throws -> Result) throws -> Result {
    try withWriterLock(of: upstreams[...], body)
  }

  private func withWriterLock<Result>(
    of backends: ArraySlice<any StorageBackend>, _ body: () throws -> Result
  ) throws -> Result {
    guard let first = backends.first else { return try body() }
    return try first.withWriterLockIfExclusive {
      try withWriterLock(of: backends.dropFirst(), body)
    }
  }

  private func withExclusiveAccess<Result>(
    to backends: ArraySlice<any StorageBackend>, _ body: () throws -> Result
  ) throws -> Result {
    guard let first = backends.first else { return try body() }
    return try first.withExclusiveAccessIfShared {
      try withExclusiveAccess(to: backends.dropFirst(), body)
    }
  }
}

/// Keeps several watches alive.
final class LayeredWatch: ExternalWatch {
  private let watches: [any ExternalWatch]

  init(_ watches: [any ExternalWatch]) { self.watches = watches }
}
