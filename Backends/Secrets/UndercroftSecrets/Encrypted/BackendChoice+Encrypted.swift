public import UndercroftCore

extension BackendChoice {
  /// Returns this choice with an encryption layer, which seals names and values so that secrets are
  /// accepted.
  public func encrypted(with key: EncryptionKey) -> BackendChoice {
    wrapped(removing: EncryptedBackend.lost, adding: EncryptedBackend.gained) {
      (upstream) throws(StorageError) in try EncryptedBackend(upstream, key: key)
    }
  }
}
