import Synchronization
public import UndercroftCore

extension SQLiteBackend: SharedBackend {
  public func externalChangeCount() -> UInt64 {
    guard location != nil else { return 0 }
    let now = ContinuousClock.now
    let generation = database.pool.generation.load(ordering: .relaxed)
    // Any backend or watch of the database may have read the version. An observer that a watch has
    // notified of a commit therefore reads no value from before that commit.
    // Copies only the number: copying the whole state takes a tenth of a cached read.
    let known: UInt64? = database.lastDataVersion.withLock { last in
      guard let last, last.version.generation == generation, now < last.expiration else {
        return nil
      }
      return last.version.number
    }
    if let known { return known }
    // Outside of the lock, because reading the version may open the connection. That runs the
    // application's closures, which may read a setting. If another thread has the connection, the
    // last known version is used, so that reading a setting does not wait.
    if let version = database.pool.tryWithWriter({ database.dataVersion(of: $0) }) ?? nil {
      return version.number
    }
    let last = database.lastDataVersion.withLock { $0 }?.version
    return DataVersion(generation: generation, commits: last?.commits ?? 0).number
  }

  public func watchExternalChanges(
    _ handler: @escaping @Sendable () -> Void
  ) throws(StorageError) -> any ExternalWatch {
    try ExternalChangeMonitor(of: database, handler)
  }
}
