import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation
import UndercroftInspection

extension VaultInspection {
  /// The functions for the vaults of ``VaultBackend``.
  static let vault = VaultInspection(
    summary: { url, credentials in
      try summary(of: url, keys(of: credentials).map(VaultUnlocker.init))
    },
    verify: { url, credentials in
      try verification(of: url, keys(of: credentials).map(VaultUnlocker.init))
    },
    change: { url, credentials, request in
      try VaultKeyChange(url, keys(of: credentials), request).run()
    })

  /// Returns the keys that the credentials contain: a key file, a passphrase, both or none.
  static func keys(of credentials: InspectionCredentials) -> [VaultKey] {
    let keyFile = credentials.keyFile.map { VaultKey.keyFile($0) }
    let passphrase = credentials.passphrase.flatMap { $0() }.map { VaultKey.passphrase($0) }
    return [keyFile, passphrase].compactMap(\.self)
  }

  private static func summary(
    of url: URL, _ unlockers: [VaultUnlocker]
  ) throws(StorageError) -> Summary {
    try StorageError.naming(backend: "vault") { () throws(StorageError) in
      let path = try FilePath.of(url)
      let header = try header(at: path, unlockers)
      let slots = try VaultKeySlot.all(of: header, openedBy: unlockers, path: path)
      return Summary(
        format: "vault 1", epoch: header.epoch,
        slots: slots.map { Slot($0, isUnlocked: !unlockers.isEmpty) })
    }
  }

  /// Reads the header, and verifies that each of the keys opens a slot.
  static func header(
    at path: String, _ unlockers: [VaultUnlocker]
  ) throws(StorageError) -> VaultHeader {
    // Closing a descriptor of a SQLite file would drop the locks of this process on the file.
    try SQLiteFile.reject(at: path)
    let file = try Descriptor(opening: path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    let bytes = try file.read(1 << 16, at: 0)
    let header = try VaultHeader(decoding: bytes, path: path)
    for unlocker in unlockers {
      let keys = DerivedVaultKeys(try unlocker.open(header, path: path))
      try header.verify(bytes, keys, path: path)
    }
    return header
  }

  private static func verification(
    of url: URL, _ unlockers: [VaultUnlocker]
  ) throws(StorageError) -> Verification {
    try StorageError.naming(backend: "vault") { () throws(StorageError) in
      let path = try FilePath.of(url)
      guard let unlocker = unlockers.first else { throw locked(path) }
      try SQLiteFile.reject(at: path)
      let file = try VaultFile.open(path, unlocker, flags: O_RDONLY, recovering: true)
      return Verification(
        entryCount: file.index.count, recordCount: file.recordCount,
        damage: file.damage.map { "\($0)" }, hasUnfinishedWrite: file.tail == .torn)
    }
  }

  /// Returns the error of each operation that needs the key of a vault, if no key was given.
  static func locked(_ path: String) -> StorageError {
    StorageError(
      .locked, "cannot open \(quoted(path)): the vault is locked, because no key was given",
      suggestion: "pass the vault's key file or passphrase", backend: "vault",
      underlying: MissingCredentials())
  }
}

extension VaultInspection.Slot {
  fileprivate init(_ slot: VaultKeySlot, isUnlocked: Bool) {
    self.init(
      number: slot.number, kind: slot.kind.rawValue,
      cost: slot.cost.map { "scrypt N=2^\($0.logRounds) r=\($0.blockSize) p=\($0.parallelism)" },
      costByteCount: slot.cost?.byteCount, isOpened: isUnlocked ? slot.isOpened : nil)
  }
}
