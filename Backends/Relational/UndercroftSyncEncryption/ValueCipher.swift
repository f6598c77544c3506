import Crypto
import UndercroftCore
import UndercroftFoundation
import UndercroftSync

extension SyncValuePlace {
  /// The names of the column, the row and the table, each in quotes, for error messages.
  var quotedName: String {
    """
    the column \(quoted(column)) of the row \(quoted(dataIdentifier.text)) of the table \
    \(quoted(table))
    """
  }
}

/// The encryption of values with one key, as `Docs/Formats/SyncWire.md` defines it.
///
/// Each column of each row has separate keys, and the nonce depends on the value. Equal values of
/// the same column of the same row therefore have equal encrypted bytes. Different values share a
/// nonce under the same keys only if 96 bits of their MACs are equal. This also holds for values
/// that are encrypted by different copies of a database.
struct ValueCipher: Sendable {
  /// The number of bytes that an encrypted value has in addition to its plain form.
  static let overhead = 28

  let key: SyncEncryptionKey
  private let root: SymmetricKey

  init(_ key: SyncEncryptionKey) {
    self.key = key
    let code = HKDF<SHA256>.extract(
      inputKeyMaterial: SymmetricKey(data: key.bytes), salt: Data("undercroft sync values 1".utf8))
    root = SymmetricKey(data: code)
  }

  /// Returns the concatenation of the nonce, the encrypted bytes and the authentication tag.
  func encrypt(_ plain: Data, at place: SyncValuePlace) throws(StorageError) -> Data {
    let context = context(of: place)
    let keys = keys(for: context)
    let code = HMAC<SHA256>.authenticationCode(for: plain, using: keys.nonces)
    do {
      return try ChaChaPoly.seal(
        plain, using: keys.values, nonce: ChaChaPoly.Nonce(data: Data(code.prefix(12))),
        authenticating: context
      ).combined
    } catch {
      throw StorageError(
        .io,
        """
        cannot encrypt \(place.quotedName): the cryptographic library has failed
        """,
        suggestion: "synchronise again; no change was lost", backend: "sync", underlying: error)
    }
  }

  /// Returns the plain bytes, or `nil` if the bytes were not encrypted with this key at this place.
  func decrypt(_ bytes: Data, at place: SyncValuePlace) -> Data? {
    guard bytes.count >= Self.overhead, let box = try? ChaChaPoly.SealedBox(combined: bytes) else {
      return nil
    }
    let context = context(of: place)
    return try? ChaChaPoly.open(box, using: keys(for: context).values, authenticating: context)
  }

  private func keys(for context: Data) -> (values: SymmetricKey, nonces: SymmetricKey) {
    let both = HKDF<SHA256>.expand(
      pseudoRandomKey: root, info: context, outputByteCount: 2 * SyncEncryptionKey.byteCount)
    return both.withUnsafeBytes { bytes in
      (
        SymmetricKey(data: bytes.prefix(SyncEncryptionKey.byteCount)),
        SymmetricKey(data: bytes.suffix(SyncEncryptionKey.byteCount))
      )
    }
  }

  /// Returns the place and the number of the key as bytes, each part preceded by its length.
  ///
  /// The result determines the derived keys, and is authenticated together with the value.
  private func context(of place: SyncValuePlace) -> Data {
    let parts = [
      place.scope.text, place.table, place.dataIdentifier.text, place.column, String(key.number),
    ]
    return parts.reduce(into: Data()) { context, part in
      let utf8 = Data(part.utf8)
      withUnsafeBytes(of: UInt32(truncatingIfNeeded: utf8.count).bigEndian) {
        context.append(contentsOf: $0)
      }
      context.append(utf8)
    }
  }
}
