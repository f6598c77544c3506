public import UndercroftCore
public import UndercroftFoundation

extension BackendChoice {
  /// Returns the choice of a key-value store for settings, which consists of a snapshot file and a
  /// journal of the writes since the snapshot.
  ///
  /// The files have the toolkit's own format, so no other library is required.
  ///
  /// - Parameters:
  ///   - url: the location of the snapshot. The journal and the lock file are in the same folder.
  ///   - durability: the failures that a write survives after the call has returned.
  ///   - lockTimeout: how long to wait for the lock of another process.
  public static func settings(
    at url: URL, durability: Durability = .processDeath, lockTimeout: Duration = .seconds(5)
  ) -> BackendChoice {
    BackendChoice("settings", JournalledBackend.capabilities, at: url) { () throws(StorageError) in
      try JournalledBackend(at: url, durability: durability, lockTimeout: lockTimeout)
    }
  }
}
