import Crypto
import CryptoExtras
import UndercroftCore
import UndercroftFileSystem
public import UndercroftFoundation

/// A key that opens a vault: a key file or a passphrase.
public struct VaultKey: Sendable {
  enum Source: Sendable {
    /// The path of the key file, or the error for a URL that is not a file URL.
    case keyFile(Result<String, StorageError>)
    case passphrase(String, cost: ScryptCost)
  }

  let source: Source

  /// Returns a key that is read from a file of 32 random bytes.
  ///
  /// If the file is missing, creating a vault or adding the key to a vault creates the file, but
  /// opening an existing vault throws. If `url` is not a file URL, opening the vault throws. Other
  /// users must not be able to read or write the file. Store the file on another disk than the
  /// vault, or exclude the file from backups: both files together are sufficient to read the vault.
  public static func keyFile(_ url: URL) -> VaultKey {
    VaultKey(source: .keyFile(KeyFile.path(of: url)))
  }

  /// Returns a key that is derived from a passphrase with scrypt (RFC 7914).
  ///
  /// Each derivation takes about half a second and 128 MiB of memory. Opening a vault that has
  /// several passphrases may need one derivation for each of them.
  public static func passphrase(_ text: String) -> VaultKey {
    VaultKey(source: .passphrase(text, cost: .standard))
  }

  /// Returns a key that is derived from a passphrase with a low scrypt cost, for tests.
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

  /// The kind of the slots that this key creates and opens.
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

  /// Derives the key that encrypts the vault's own key in a slot with the given salt and cost.
  ///
  /// The cost and `path` apply only to a passphrase. `path` is the path of the vault, for error
  /// messages.
  func wrappingKey(
    salt: Data, cost: ScryptCost, of path: String
  ) throws(StorageError) -> SymmetricKey {
    switch source {
    case .keyFile(let path):
      return HKDF<SHA256>.deriveKey(
        inputKeyMaterial: SymmetricKey(data: try KeyFile.read(try path.get())), salt: salt,
        info: Data("undercroft vault key file 1".utf8), outputByteCount: 32)
    case .passphrase(let text, _):
      // Normalise the passphrase, because the same text can be typed as different Unicode
      // sequences.
      let typed = Data(PassphraseNormalization.normal(text).utf8)
      return try cost.derive(typed, salt: salt, of: path)
    }
  }
}

extension VaultKey: CustomStringConvertible, CustomReflectable {
  /// The kind of the key, without its passphrase or path.
  public var description: String {
    switch source {
    case .keyFile: "VaultKey.keyFile"
    case .passphrase: "VaultKey.passphrase"
    }
  }

  /// A mirror without children, so that `dump` does not print the passphrase.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
