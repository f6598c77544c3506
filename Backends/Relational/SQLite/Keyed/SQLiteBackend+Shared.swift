import Synchronization
public import UndercroftCore

/// What moves on with every commit of another connection and every change of the files, and when it was asked for last.
struct ExternalVersion {
  var last = DataVersion(generation: 0, commits: 0)
  var asked: ContinuousClock.Instant?

  var number: UInt64 {
    UInt64(truncatingIfNeeded: last.generation) << 32
      | UInt64(UInt32(truncatingIfNeeded: last.commits))
  }
}

extension SQLiteBackend: SharedBackend {
  public func externalChangeCount() -> UInt64 {
    guard location != nil else { return 0 }
    return version.withLock { version in
      let now = ContinuousClock.now
      let generation = database.seats.generation.load(ordering: .relaxed)
      if version.last.generation == generation, let asked = version.asked,
        now - asked < .milliseconds(3)
      {
        return version.number
      }
      version.last.generation = generation
      // Whoever holds the connection for long must not hold up a look at a setting.
      if let last = database.seats.lookIfFree({ database.dataVersion(of: $0) }), let last {
        version.last = last
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
