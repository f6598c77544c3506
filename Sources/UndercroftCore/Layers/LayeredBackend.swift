/// A backend that stands on others, and passes on what they tell of changes from outside.
///
/// Without that a layer would hide other processes' writes, and settings read through it would grow
/// stale. Conforming takes ``upstreams`` alone; where none of them is shared, no change from
/// outside is ever told.
public protocol LayeredBackend: SharedBackend {
  /// The backends beneath, in the order in which they are read.
  var upstreams: [any StorageBackend] { get }
}

extension LayeredBackend {
  public func externalChangeCount() -> UInt64 {
    var count: UInt64 = 0
    for case let shared as any SharedBackend in upstreams {
      // Not a plain sum: a backend's number need not grow, so two changes could cancel out.
      count = (count &* 0x100_0000_01b3) &+ shared.externalChangeCount()
    }
    return count
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
}

private final class LayeredWatch: ExternalWatch {
  private let watches: [any ExternalWatch]

  init(_ watches: [any ExternalWatch]) { self.watches = watches }
}
