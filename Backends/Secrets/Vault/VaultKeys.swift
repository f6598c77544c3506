import Crypto
import UndercroftCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The keys that follow from a vault's own: one for the header, one for the records.
struct VaultKeys: Sendable {
  let vault: SymmetricKey
  let header: SymmetricKey
  private let record: SymmetricKey

  init(_ vault: SymmetricKey) {
    self.vault = vault
    header = Self.derive(vault, salt: Data(), "undercroft vault header")
    record = Self.derive(vault, salt: Data(), "undercroft vault record")
  }

  /// Returns a key for one record: random enough that no nonce can meet itself, even in a copied machine.
  func record(salt: Data) -> SymmetricKey {
    Self.derive(record, salt: salt, "undercroft vault one record")
  }

  private static func derive(_ key: SymmetricKey, salt: Data, _ label: String) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: key, salt: salt, info: Data(label.utf8), outputByteCount: 32)
  }
}
