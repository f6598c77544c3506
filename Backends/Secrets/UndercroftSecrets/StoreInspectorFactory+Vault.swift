import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation
public import UndercroftInspection

extension StoreInspectorFactory {
  /// A factory that opens vaults, the encrypted files of ``VaultBackend``, for inspection.
  ///
  /// Without a key, only the size, the key slots and the epoch of a vault can be read. The epoch is
  /// 1 for a new vault, and increases by 1 with every rewrite.
  public static var vault: StoreInspectorFactory {
    StoreInspectorFactory(scheme: "vault") { candidate in
      candidate.start.starts(with: VaultHeader.magic)
    } open: { (url, credentials) throws(StorageError) in
      let path = try FilePath.of(url)
      try SQLiteFile.reject(at: path)
      var key = credentials.keyFile.map { VaultKey.keyFile($0) }
      if key == nil, let typed = credentials.passphrase?() { key = .passphrase(typed) }
      let vault = VaultInspector(path: path, unlocker: key.map(VaultUnlocker.init))
      _ = try StorageError.naming(backend: "vault") { () throws(StorageError) in
        try vault.inspect()
      }
      return vault
    }.with(vault: .vault)
  }
}
