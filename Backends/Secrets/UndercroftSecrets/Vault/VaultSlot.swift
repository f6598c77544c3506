import Crypto
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// One way to open a vault: the vault's key, encrypted with a key from a key file or a passphrase.
struct VaultSlot: Sendable {
  enum Kind: UInt8 {
    case keyFile = 1
    case passphrase = 2
  }

  static let size = 132

  let kind: Kind
  let cost: ScryptCost
  let salt: Data
  /// An HMAC that is computed with the wrapping key, and
  /// verified before the wrapping key decrypts the vault's key.
  ///
  /// AES-GCM is not key-committing: an attacker can create a ciphertext that two keys decrypt.
  private let commitment: Data
  private let wrapped: Data

  /// Creates a slot that contains the vault's key, encrypted with `key`.
  ///
  /// - Parameters:
  ///   - vault: the identifier of the vault.
  ///   - path: the path of the vault, for errors.
  init(
    _ vaultKey: SymmetricKey, for key: VaultKey, vault: Data, at path: String
  ) throws(StorageError) {
    if case .passphrase("", _) = key.source {
      throw StorageError(
        .misuse,
        "cannot use an empty passphrase for the vault \(quoted(path)): anyone could open the vault",
        suggestion: "pass a passphrase that is not empty, or use .keyFile(_:)")
    }
    kind = key.kind
    cost = key.cost
    salt = RandomBytes.make(32)
    let wrapping = try key.wrappingKey(salt: salt, cost: cost, of: path)
    commitment = Self.commitment(of: wrapping, salt: salt)
    do {
      let box = try AES.GCM.seal(
        vaultKey.withUnsafeBytes { Data($0) }, using: wrapping,
        authenticating: vault + Data([kind.rawValue]) + salt)
      wrapped = Data(box.nonce) + box.ciphertext + box.tag
    } catch {
      throw StorageError(
        .io,
        """
        cannot encrypt the encryption key of the vault \(quoted(path)): the cryptographic library \
        reported an error
        """,
        suggestion: "repeat the call; the vault was not changed", underlying: error)
    }
  }

  /// Decrypts and returns the vault's key, or returns `nil` if
  /// `wrapping` is not the key that encrypted it in this slot.
  func unwrap(_ wrapping: SymmetricKey, vault: Data) -> SymmetricKey? {
    let isRight = HMAC<SHA256>.isValidAuthenticationCode(
      commitment, authenticating: Data("undercroft commit".utf8) + salt, using: wrapping)
    guard isRight, let box = try? AES.GCM.SealedBox(combined: wrapped),
      let key = try? AES.GCM.open(
        box, using: wrapping, authenticating: vault + Data([kind.rawValue]) + salt)
    else { return nil }
    return SymmetricKey(data: key)
  }

  private static func commitment(of key: SymmetricKey, salt: Data) -> Data {
    Data(
      HMAC<SHA256>.authenticationCode(for: Data("undercroft commit".utf8) + salt, using: key))
  }

  // MARK: Bytes

  func encode(into writer: inout ByteWriter) {
    writer.put(kind.rawValue)
    writer.put(cost.logRounds)
    writer.put(cost.blockSize)
    writer.put(cost.lanes)
    writer.put(UInt32(0))
    writer.put(salt)
    writer.put(commitment)
    writer.put(wrapped)
  }

  init?(decoding reader: inout ByteReader) {
    guard let kind = reader.number(UInt8.self).flatMap(Kind.init),
      let rounds = reader.number(UInt8.self),
      let block = reader.number(UInt8.self), let lanes = reader.number(UInt8.self),
      reader.number(UInt32.self) == 0, let salt = reader.take(32), let commitment = reader.take(32),
      let wrapped = reader.take(60)
    else { return nil }
    self.kind = kind
    self.cost = ScryptCost(logRounds: rounds, blockSize: block, lanes: lanes)
    self.salt = Data(salt)
    self.commitment = Data(commitment)
    self.wrapped = Data(wrapped)
  }
}
