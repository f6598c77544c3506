import Crypto
import CryptoExtras
import UndercroftCore
import UndercroftFileSystem
public import UndercroftFoundation

/// A key that opens a vault: a key file, or a passphrase that a person knows.
public struct VaultKey: Sendable {
  enum Source: Sendable {
    /// The path of the key file, or the error if the URL is not that of a file.
    case keyFile(Result<String, StorageError>)
    case passphrase(String, cost: ScryptCost)
  }

  let source: Source

  /// Returns the key in a file of 32 random bytes that only its owner can read.
  ///
  /// If the file is missing, it is created together with a new vault. If `url` is not the URL of a
  /// file, opening the vault throws. Store the file on another disk than the vault, or exclude it
  /// from backups: the vault can be read by anyone who has both files.
  public static func keyFile(_ url: URL) -> VaultKey {
    VaultKey(source: .keyFile(KeyFile.path(of: url)))
  }

  /// Returns a passphrase as a key, which takes about half a second and 128 MiB of memory to try.
  /// (scrypt, RFC 7914)
  public static func passphrase(_ text: String) -> VaultKey {
    VaultKey(source: .passphrase(text, cost: .standard))
  }

  /// Returns a passphrase that is cheap to try, for tests.
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

  /// Derives the key that wraps the vault's key in a slot with this salt and cost.
  func wrappingKey(salt: Data, cost: ScryptCost) throws(StorageError) -> SymmetricKey {
    switch source {
    case .keyFile(let path):
      return HKDF<SHA256>.deriveKey(
        inputKeyMaterial: SymmetricKey(data: try KeyFile.read(try path.get())), salt: salt,
        info: Data("undercroft vault key file 1".utf8), outputByteCount: 32)
    case .passphrase(let text, _):
      // Normalise the passphrase, because the same text can be typed as different Unicode
      // sequences.
      let typed = Data(PassphraseForm.normal(text).utf8)
      return try cost.derive(typed, salt: salt)
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
