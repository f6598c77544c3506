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
    let now = ContinuousClock.now
    let generation = database.seats.generation.load(ordering: .relaxed)
    let known = version.withLock { version -> UInt64? in
      guard version.last.generation == generation, let asked = version.asked,
        now - asked < .milliseconds(3)
      else { return nil }
      return version.number
    }
    if let known { return known }
    // Outside of the lock: the connection may have to be opened, which runs the caller's closures, and these may read a setting.
    // A thread that holds the connection for long must not delay a look at a setting.
    let last = database.seats.lookIfFree { database.dataVersion(of: $0) } ?? nil
    return version.withLock { version in
      // Another thread that asked later has the newer answer.
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
