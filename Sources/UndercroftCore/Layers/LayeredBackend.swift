/// A backend that wraps other backends, and forwards
/// their external changes and their exclusive access.
///
/// Without forwarding, a layer would hide the writes of other processes: cached
/// settings would become stale, and edits would not be atomic across processes. To
/// forward, a conforming type only needs to implement ``upstreams``. If no wrapped
/// backend is a ``SharedBackend``, watches of the layer report no external changes.
public protocol LayeredBackend: SharedBackend, ExclusiveAccessBackend {
  /// The wrapped backends, in the order in which the layer reads them.
  var upstreams: [any StorageBackend] { get }

  /// Returns the name under which the wrapped backend stores
  /// the value of `name`, or `nil` if that name is unknown.
  ///
  /// A gate on the layer uses this name to determine whether a write through
  /// another gate of the same database concerns an observer. By default, the
  /// method returns `nil`, and every observer is notified of each such write.
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

  /// Runs `body` with exclusive access to every wrapped
  /// backend that is an ``ExclusiveAccessBackend``.
  ///
  /// A layer that writes only to some of the backends
  /// can implement the method for those backends alone.
  ///
  /// - Throws: ``StorageError/Code/notSupported`` if other processes may write to
  ///   a wrapped backend and cannot be excluded, and any error that `body` throws.
  public func withExclusiveAccess<Result>(_ body: () throws -> Result) throws -> Result {
    try withExclusiveAccess(to: upstreams[...], body)
  }

  /// Runs `body` while holding the writer lock of every
  /// wrapped backend that is an ``ExclusiveAccessBackend``.
  ///
  /// A layer that writes only to some of the backends
  /// can implement the method for those backends alone.
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

/// An external watch that consists of several watches.
final class LayeredWatch: ExternalWatch {
  private let watches: [any ExternalWatch]

  init(_ watches: [any ExternalWatch]) { self.watches = watches }
}
