import Crypto
public import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

extension VaultBackend {
  /// Returns the slots of the vault, each of which one key file or one passphrase opens.
  ///
  /// If this backend was opened with a passphrase, one scrypt derivation is necessary for each
  /// passphrase slot that was not tried yet.
  ///
  /// - Throws: any error that reading the vault, reading the key file or scrypt throws.
  public func slots() throws(StorageError) -> [VaultKeySlot] {
    // The derivations must not block the other threads, so they happen after the read.
    let header = try reading { (file) throws(StorageError) in file.header }
    let (unlocker, path) = (unlocker, path)
    return try StorageError.naming(backend: name) { () throws(StorageError) in
      try VaultKeySlot.all(of: header, openedBy: [unlocker], path: path)
    }
  }

  /// Adds another key that opens the vault.
  ///
  /// A missing key file is created.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the vault has 16 keys or the passphrase is
  ///   empty; ``StorageError/Code/locked`` if another process or thread holds the lock for too
  ///   long; ``StorageError/Code/wrongKey`` if an existing key file does not have the size of a
  ///   key; ``StorageError/Code/insecurePermissions`` if other users can read or write the key
  ///   file; ``StorageError/Code/corrupted``, ``StorageError/Code/accessDenied``,
  ///   ``StorageError/Code/full`` or ``StorageError/Code/io`` if the vault cannot be rewritten.
  public func add(_ key: VaultKey) throws(StorageError) { try add([key]) }

  /// Adds all of the given keys or, if this method throws, none of them.
  func add(_ keys: [VaultKey]) throws(StorageError) {
    try writing(nil) { (state) throws(StorageError) in
      let header = state.file.header
      var slots = header.slots
      for key in keys {
        slots.append(
          try Self.slot(for: key, opening: state.file.keys, of: header.id, at: state.path))
      }
      try state.rewrite(state.file.keys, slots: slots, unlocker: state.unlocker)
    }
  }

  /// Removes a slot, so that its key file or passphrase no longer opens the vault.
  ///
  /// The vault's own key does not change. A person who has opened the vault with the removed key
  /// may have retained the vault's own key, and an old copy of the file still has the slot. If the
  /// removed key was disclosed, call ``rekey(to:)`` instead.
  ///
  /// - Parameters:
  ///   - slot: a slot that ``slots()`` has returned.
  ///   - allowsLosingAccess: whether a slot is removed even if the key of this backend opens no
  ///     other slot. Then this backend throws ``StorageError/Code/wrongKey`` from then on.
  /// - Throws: ``StorageError/Code/misuse`` if the vault has no other slot, or if this backend
  ///   would lose access to the vault; ``StorageError/Code/unavailable`` if the vault no longer has
  ///   the slot; ``StorageError/Code/locked`` if another process or thread holds the lock for too
  ///   long; ``StorageError/Code/corrupted``, ``StorageError/Code/accessDenied``,
  ///   ``StorageError/Code/full`` or ``StorageError/Code/io`` if the vault cannot be rewritten.
  public func remove(
    _ slot: VaultKeySlot, allowsLosingAccess: Bool = false
  ) throws(StorageError) {
    try writing(nil) { (state) throws(StorageError) in
      let (header, path) = (state.file.header, state.path)
      let others = header.slots.filter { $0.salt != slot.salt }
      guard others.count < header.slots.count else {
        throw StorageError(
          .unavailable,
          "cannot remove the slot \(slot.number) of \(quoted(path)): the vault has no such slot",
          suggestion: "list the slots again, because another process has changed them")
      }
      guard !others.isEmpty else {
        throw StorageError(
          .misuse,
          "cannot remove the slot \(slot.number) of \(quoted(path)): the vault has no other slot",
          suggestion: "add another key file or passphrase first")
      }
      var isAccessible = allowsLosingAccess
      for other in others where !isAccessible {
        isAccessible = try state.unlocker.opens(other, of: header.id, path: path)
      }
      guard isAccessible else {
        throw StorageError(
          .misuse,
          """
          cannot remove the slot \(slot.number) of \(quoted(path)): the key that opened the vault \
          opens no other slot
          """,
          suggestion: """
            open the vault with another of its keys, or allow that this key no longer opens the \
            vault
            """)
      }
      try state.rewrite(state.file.keys, slots: others, unlocker: state.unlocker)
    }
  }

  /// Rotates the keys: encrypts all values again, so that only the given keys open the vault.
  ///
  /// Call this method after a passphrase was disclosed or a key file was lost. This
  /// backend continues with `key`. An old key still opens an old copy of the file.
  ///
  /// - Throws: the errors of ``rekey(to:)``.
  public func rekey(to key: VaultKey, and others: VaultKey...) throws(StorageError) {
    try rekey(to: [key] + others)
  }

  /// Rotates the keys: encrypts all values again, so that only the given keys open the vault.
  ///
  /// The new file replaces the old file atomically. If the process is killed, the vault is either
  /// the old one or the new one. This backend continues with the first of `keys`. Another instance
  /// of the vault continues if its key is one of `keys`, and otherwise throws
  /// ``StorageError/Code/wrongKey`` from then on.
  ///
  /// - Throws: ``StorageError/Code/misuse`` for no key, more than 16 keys or an empty passphrase;
  ///   ``StorageError/Code/locked`` if another process or thread holds the lock for too long;
  ///   ``StorageError/Code/wrongKey`` if an existing key file does not have the size of a key;
  ///   ``StorageError/Code/insecurePermissions`` if other users can read or write a key file;
  ///   ``StorageError/Code/corrupted``, ``StorageError/Code/accessDenied``,
  ///   ``StorageError/Code/full`` or ``StorageError/Code/io`` if the vault cannot be rewritten.
  public func rekey(to keys: [VaultKey]) throws(StorageError) {
    try writing(nil) { (state) throws(StorageError) in
      let newKeys = DerivedVaultKeys(SymmetricKey(size: .bits256))
      let id = state.file.header.id
      let path = state.path
      let slots = try keys.map { (key) throws(StorageError) in
        try Self.slot(for: key, opening: newKeys, of: id, at: path)
      }
      // Without a key, the rewrite throws, because a header needs a slot.
      let unlocker = keys.first.map(VaultUnlocker.init) ?? state.unlocker
      try state.rewrite(newKeys, slots: slots, unlocker: unlocker)
    }
  }

  private static func slot(
    for key: VaultKey, opening keys: DerivedVaultKeys, of vault: Data, at path: String
  ) throws(StorageError) -> VaultSlot {
    if let keyPath = try key.keyFilePath { try KeyFile.createIfMissing(keyPath) }
    return try VaultSlot(keys.vault, for: key, vault: vault, at: path)
  }
}
