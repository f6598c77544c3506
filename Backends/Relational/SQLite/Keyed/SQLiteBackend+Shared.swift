import Synchronization
public import UndercroftCore

/// The last version of the database that was observed for external changes, and when it was read.
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
    let now = ContinuousClock.now
    let generation = database.seats.generation.load(ordering: .relaxed)
    let known = version.withLock { version -> UInt64? in
      guard version.last.generation == generation, let asked = version.asked,
        now - asked < .milliseconds(3)
      else { return nil }
      return version.number
    }
    if let known { return known }
    // Outside of the lock, because reading the version may open the connection. That runs the
    // application's closures, which may read a setting. If another thread has the connection, the
    // last known version is used, so that reading a setting does not wait.
    let last = database.seats.lookIfFree { database.dataVersion(of: $0) } ?? nil
    return version.withLock { version in
      // Another thread that read the version later has the newer result.
      if let asked = version.asked, asked > now { return version.number }
      version.last.generation = generation
      if let last {
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
