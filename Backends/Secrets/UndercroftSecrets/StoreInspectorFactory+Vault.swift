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
      let key = credentials.vaultKey
      let vault = VaultInspector(path: path, unlocker: key.map(VaultUnlocker.init))
      _ = try StorageError.naming(backend: "vault") { () throws(StorageError) in
        try vault.inspect()
      }
      return vault
    }.with(editing: { (url, credentials, timeout) throws(StorageError) in
      let key = try requireKey(credentials, for: url)
      return try StorageError.reportingBusy { () throws(StorageError) in
        try VaultBackend(at: url, unlockedBy: key, lockTimeout: timeout)
      }
    }).with(vault: .vault)
      // Frames after the last commit are ignored, and a rewritten vault replaces the file.
      .with(copying: StoreCopying(omittedSuffixes: [".lock"], isAppendOnly: true))
  }

  /// Returns the key that opens the vault at `url` for writing.
  ///
  /// - Throws: ``StorageError/Code/locked`` if there is no key, or if the key file is missing. A
  ///   missing key file would otherwise be created for a new vault, also if its path is misspelt.
  private static func requireKey(
    _ credentials: InspectionCredentials, for url: URL
  ) throws(StorageError) -> VaultKey {
    guard let key = credentials.vaultKey else {
      throw VaultInspection.locked(try FilePath.of(url))
    }
    if let path = try key.keyFilePath, try !Folder.hasEntry(at: path) {
      throw StorageError(
        .locked,
        "cannot write to \(quoted(try FilePath.of(url))): the key file \(quoted(path)) is missing",
        suggestion: "pass the path of the vault's key file", backend: "vault",
        underlying: MissingCredentials(isKeyFileGiven: true))
    }
    return key
  }
}

extension InspectionCredentials {
  /// The key that the credentials contain, or `nil` if there is none.
  fileprivate var vaultKey: VaultKey? {
    if let keyFile { return .keyFile(keyFile) }
    return passphrase?().map { .passphrase($0) }
  }
}
