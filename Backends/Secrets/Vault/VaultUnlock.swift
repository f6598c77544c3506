import Crypto
import Synchronization
import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Opens a vault with one key, and remembers what was derived: a passphrase is stretched once, not at every rewriting of the file.
final class VaultUnlock: Sendable {
  let key: VaultKey
  private let derived = Mutex<[Data: SymmetricKey]>([:])

  init(_ key: VaultKey) { self.key = key }

  /// Returns the vault's key.
  ///
  /// - Throws: ``StorageError/Code/wrongKey`` when no slot is this key's.
  func open(_ header: VaultHeader, path: String) throws(StorageError) -> SymmetricKey {
    try ScryptCost.check(header.slots.filter { $0.kind == .passphrase }.map(\.cost))
    for slot in header.slots where slot.kind == key.kind {
      let wrapping = try wrappingKey(slot)
      if let vault = slot.unwrap(wrapping, vault: header.id) { return vault }
    }
    throw StorageError(
      .wrongKey, "cannot open \(quoted(path)): this key is none of its keys",
      cure: "use the key that the vault was made with; the file itself is sound")
  }

  private func wrappingKey(_ slot: VaultSlot) throws(StorageError) -> SymmetricKey {
    if let known = derived.withLock({ $0[slot.salt] }) { return known }
    let wrapping = try key.wrappingKey(salt: slot.salt, cost: slot.cost)
    // Also of slots that it does not open: each would be tried again.
    derived.withLock { $0[slot.salt] = wrapping }
    return wrapping
  }
}
