import Crypto
import CryptoExtras
import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What opens a vault: a file that holds a key, or a passphrase that a person knows.
public struct VaultKey: Sendable {
  enum Source: Sendable {
    /// The path, or why the URL has none.
    case keyFile(Result<String, StorageError>)
    case passphrase(String, cost: ScryptCost)
  }

  let source: Source

  /// A file of 32 random bytes, readable by its owner alone; made together with a new vault if it is missing.
  ///
  /// A URL that is not that of a file is an error when the vault is opened.
  /// Keep it on another disk than the vault, or in a place that backups leave out: whoever has both can read all.
  public static func keyFile(_ url: URL) -> VaultKey {
    VaultKey(source: .keyFile(KeyFile.path(of: url)))
  }

  /// A passphrase, which takes about half a second and 128 MiB of memory to try. (scrypt, RFC 7914)
  public static func passphrase(_ text: String) -> VaultKey {
    VaultKey(source: .passphrase(text, cost: .standard))
  }

  /// A passphrase that is cheap to try, for tests.
  package static func passphrase(_ text: String, logRounds: UInt8) -> VaultKey {
    VaultKey(
      source: .passphrase(text, cost: ScryptCost(logRounds: logRounds, blockSize: 8, lanes: 1)))
  }

  /// The path of the key file, or `nil` for a passphrase.
  var keyFilePath: String? {
    get throws(StorageError) {
      guard case .keyFile(let path) = source else { return nil }
      return try path.get()
    }
  }

  /// The kind of slot that this key makes and opens.
  var kind: VaultSlot.Kind {
    switch source {
    case .keyFile: .keyFile
    case .passphrase: .passphrase
    }
  }

  var cost: ScryptCost {
    switch source {
    case .keyFile: .none
    case .passphrase(_, let cost): cost
    }
  }

  /// Returns the key that wraps the vault's own, for a slot with this salt and cost.
  func wrappingKey(salt: Data, cost: ScryptCost) throws(StorageError) -> SymmetricKey {
    switch source {
    case .keyFile(let path):
      return HKDF<SHA256>.deriveKey(
        inputKeyMaterial: SymmetricKey(data: try KeyFile.read(try path.get())), salt: salt,
        info: Data("undercroft vault key file 1".utf8), outputByteCount: 32)
    case .passphrase(let text, _):
      // One passphrase may be typed in two ways that look the same.
      let typed = Data(PassphraseForm.normal(text).utf8)
      return try cost.derive(typed, salt: salt)
    }
  }
}
