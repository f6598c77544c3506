public import UndercroftCore
public import UndercroftFoundation

extension BackendChoice {
  /// Returns the choice of a store of settings: a journal over a snapshot.
  ///
  /// The files have the toolkit's own format, which requires no library.
  ///
  /// - Parameters:
  ///   - url: the location of the snapshot. The journal and the lock file are in the same folder.
  ///   - durability: the failures that a write survives after it has returned.
  ///   - lockTimeout: how long to wait for the lock of another process.
  public static func settings(
    at url: URL, durability: Durability = .processDeath, lockTimeout: Duration = .seconds(5)
  ) -> BackendChoice {
    BackendChoice("settings", JournalledBackend.capabilities, at: url) { () throws(StorageError) in
      try JournalledBackend(at: url, durability: durability, lockTimeout: lockTimeout)
    }
  }
}
