import Crypto
import Synchronization
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// A key that opens a vault, with a cache of the wrapping keys that were derived from this key.
///
/// The cache avoids another scrypt derivation at every rewrite of the file.
final class VaultUnlocker: Sendable {
  let key: VaultKey
  private let derived = Mutex<[Data: SymmetricKey]>([:])

  init(_ key: VaultKey) { self.key = key }

  /// Decrypts the vault's own key, which a slot of `header` contains in encrypted form.
  ///
  /// - Throws: ``StorageError/Code/wrongKey`` if the key file or the passphrase of this unlocker
  ///   opens no slot; ``StorageError/Code/corrupted`` if the scrypt cost of the passphrase slots
  ///   exceeds the limit (``ScryptCost``); any error that reading the key file or scrypt throws.
  func open(_ header: VaultHeader, path: String) throws(StorageError) -> SymmetricKey {
    try ScryptCost.check(header.slots.filter { $0.kind == .passphrase }.map(\.cost), of: path)
    for slot in header.slots where slot.kind == key.kind {
      let wrapping = try wrappingKey(slot, of: path)
      if let vault = slot.unwrap(wrapping, vault: header.id) { return vault }
    }
    let name = (try? key.keyFilePath).map { "key file \(quoted($0))" } ?? "passphrase"
    throw StorageError(
      .wrongKey, "cannot open \(quoted(path)): the \(name) is not a key of this vault",
      suggestion: "pass a key file or a passphrase of this vault; the vault is not damaged")
  }

  /// Returns whether the key file or the passphrase of this unlocker opens `slot`.
  ///
  /// - Throws: any error that reading the key file or scrypt throws.
  func opens(
    _ slot: VaultSlot, of vault: Data, path: String
  ) throws(StorageError) -> Bool {
    guard slot.kind == key.kind else { return false }
    return slot.unwrap(try wrappingKey(slot, of: path), vault: vault) != nil
  }

  private func wrappingKey(
    _ slot: VaultSlot, of path: String
  ) throws(StorageError) -> SymmetricKey {
    if let known = derived.withLock({ $0[slot.salt] }) { return known }
    let wrapping = try key.wrappingKey(salt: slot.salt, cost: slot.cost, of: path)
    // Cache the wrapping keys of slots that the key does not open as well, because each would be
    // derived again.
    derived.withLock { $0[slot.salt] = wrapping }
    return wrapping
  }
}
