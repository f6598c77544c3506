import Crypto
import UndercroftCore
import UndercroftFoundation

/// The keys that are derived from the key of a vault: one for the header, and one for the records.
struct DerivedVaultKeys: Sendable {
  let vault: SymmetricKey
  let header: SymmetricKey
  private let record: SymmetricKey

  init(_ vault: SymmetricKey) {
    self.vault = vault
    header = Self.derive(vault, salt: Data(), "undercroft vault header")
    record = Self.derive(vault, salt: Data(), "undercroft vault record")
  }

  /// Derives the key of one record.
  ///
  /// The random salt makes every key different, so that no nonce is used twice with one key, even
  /// in a cloned virtual machine.
  func record(salt: Data) -> SymmetricKey {
    Self.derive(record, salt: salt, "undercroft vault one record")
  }

  private static func derive(_ key: SymmetricKey, salt: Data, _ label: String) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: key, salt: salt, info: Data(label.utf8), outputByteCount: 32)
  }
}
