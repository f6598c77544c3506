import Synchronization
public import UndercroftCore

/// The number that moves on with every commit of another connection, and when it was asked for last.
struct ExternalVersion {
  var number: UInt64 = 0
  var asked: ContinuousClock.Instant?
}

extension SQLiteBackend: SharedBackend {
  public func externalChangeCount() -> UInt64 {
    guard location != nil else { return 0 }
    return version.withLock { version in
      let now = ContinuousClock.now
      if let asked = version.asked, now - asked < .milliseconds(3) { return version.number }
      // Whoever holds the connection for long must not hold up a look at a setting.
      if let number = database.seats.lookIfFree({ $0.externalVersion }), let number {
        version.number = UInt64(bitPattern: number)
        version.asked = now
      }
      return version.number
    }
  }

  public func watchExternalChanges(
    _ handler: @escaping @Sendable () -> Void
  ) throws(StorageError) -> any ExternalWatch {
    try OutsideWatch(of: database, handler)
  }
}
