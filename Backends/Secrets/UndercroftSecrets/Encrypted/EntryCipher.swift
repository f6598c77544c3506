import Crypto
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// A cipher that encrypts single entries, each of which consists of a name and a value.
///
/// An encrypted entry consists of a version, a salt, a nonce, the ciphertext of name
/// and value, and the authentication tag of AES-GCM. The tag also authenticates the
/// token under which the entry is stored, so that entries cannot be exchanged.
struct EntryCipher: Sendable {
  static let tokenPrefix = "sealed-"
  static let checkName = "sealed-check"
  private static let version: UInt8 = 1

  private let names: SymmetricKey
  private let values: SymmetricKey
  let check: Data

  init(_ key: SymmetricKey) {
    names = Self.derive(key, salt: Data(), "undercroft encrypted names")
    values = Self.derive(key, salt: Data(), "undercroft encrypted values")
    check = Data(
      HMAC<SHA256>.authenticationCode(for: Data("undercroft commit".utf8), using: names))
  }

  func isCheck(_ stored: Data) -> Bool {
    HMAC<SHA256>.isValidAuthenticationCode(
      stored, authenticating: Data("undercroft commit".utf8), using: names)
  }

  /// Returns the token under which the wrapped backend stores the value of `name`.
  func token(of name: String) -> String {
    let code = HMAC<SHA256>.authenticationCode(for: Data(name.utf8), using: names)
    return Self.tokenPrefix
      + code.prefix(20).map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined()
  }

  func seal(_ name: String, _ value: Data, token: String) throws(StorageError) -> Data {
    var plain = ByteWriter()
    plain.put(UInt32(truncatingIfNeeded: name.utf8.count))
    plain.put(name)
    plain.put(value)
    let salt = RandomBytes.make(16)
    do {
      let box = try AES.GCM.seal(
        plain.bytes, using: Self.derive(values, salt: salt, "undercroft one entry"),
        authenticating: Data(token.utf8))
      return Data([Self.version]) + salt + Data(box.nonce) + box.ciphertext + box.tag
    } catch {
      throw StorageError(
        .io,
        "cannot encrypt the value of \(quoted(name)): the cryptographic library reported an error",
        suggestion: "repeat the call; nothing was changed", underlying: error)
    }
  }

  func open(_ bytes: Data, token: String) -> (name: String, value: Data)? {
    guard bytes.first == Self.version, bytes.count >= 45,
      let box = try? AES.GCM.SealedBox(combined: Data(bytes.dropFirst(17))),
      let plain = try? AES.GCM.open(
        box,
        using: Self.derive(
          values, salt: Data(bytes.dropFirst().prefix(16)), "undercroft one entry"),
        authenticating: Data(token.utf8))
    else { return nil }
    return [UInt8](plain).withUnsafeBytes { buffer in
      var reader = ByteReader(buffer)
      guard let count = reader.number(UInt32.self), let bytes = reader.take(Int(count)),
        let name = String(validating: bytes, as: UTF8.self)
      else { return nil }
      return (name, Data(buffer[reader.offset...]))
    }
  }

  private static func derive(_ key: SymmetricKey, salt: Data, _ label: String) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: key, salt: salt, info: Data(label.utf8), outputByteCount: 32)
  }
}
