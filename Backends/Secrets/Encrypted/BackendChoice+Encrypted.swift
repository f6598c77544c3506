public import UndercroftCore

extension BackendChoice {
  /// Returns the same choice with names and values sealed, so that it takes secrets.
  public func encrypted(with key: EncryptionKey) -> BackendChoice {
    layered(losing: EncryptedBackend.lost, gaining: EncryptedBackend.gained) {
      (upstream) throws(StorageError) in try EncryptedBackend(upstream, key: key)
    }
  }
}
