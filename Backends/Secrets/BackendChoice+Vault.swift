public import UndercroftCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension BackendChoice {
  /// Keeps secrets in one sealed file, opened by a key file or a passphrase.
  public static func vault(
    at url: URL, unlockedBy key: VaultKey, lockTimeout: Duration = .seconds(5)
  ) -> BackendChoice {
    BackendChoice("vault", VaultBackend.capabilities, at: url) { () throws(StorageError) in
      try VaultBackend(at: url, unlockedBy: key, lockTimeout: lockTimeout)
    }
  }
}
