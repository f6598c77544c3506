public import UndercroftCore
public import UndercroftFoundation

extension BackendChoice {
  /// Returns the choice of a backend that stores secrets in one encrypted file, the vault.
  ///
  /// A key file or a passphrase opens the vault.
  ///
  /// - Parameters:
  ///   - url: the location of the vault, which is created if it is missing.
  ///   - key: the key file or passphrase.
  ///   - lockTimeout: how long to wait for the lock of another process.
  public static func vault(
    at url: URL, unlockedBy key: VaultKey, lockTimeout: Duration = .seconds(5)
  ) -> BackendChoice {
    BackendChoice("vault", VaultBackend.capabilities, at: url) { () throws(StorageError) in
      try VaultBackend(at: url, unlockedBy: key, lockTimeout: lockTimeout)
    }
  }
}
