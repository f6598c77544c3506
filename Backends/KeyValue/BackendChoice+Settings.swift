public import UndercroftCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension BackendChoice {
  /// Chooses a store of settings: a journal over a snapshot in the
  /// toolkit's format, which requires no library.
  public static func settings(
    at url: URL, durability: Durability = .processDeath, lockTimeout: Duration = .seconds(5)
  ) -> BackendChoice {
    BackendChoice("settings", JournalledBackend.capabilities, at: url) { () throws(StorageError) in
      try JournalledBackend(at: url, durability: durability, lockTimeout: lockTimeout)
    }
  }
}
