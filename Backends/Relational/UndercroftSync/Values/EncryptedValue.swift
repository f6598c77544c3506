public import UndercroftFoundation

/// A value that its author has encrypted, so that the server cannot read it.
///
/// Two encrypted values are equal if the numbers of their keys and their bytes are equal. On the
/// wire, the value is `{"$e":"k<number>.<Base64>"}`.
public struct EncryptedValue: Sendable, Hashable {
  /// The number of the key, which is not 0.
  public let keyNumber: UInt32
  /// The encrypted bytes, whose format the ``SyncValueCipher`` defines.
  public let bytes: Data

  /// Creates an encrypted value from the number of its key and its bytes.
  ///
  /// The number 0 counts as 1, because 0 cannot be represented on the wire.
  public init(keyNumber: UInt32, bytes: Data) {
    self.keyNumber = max(1, keyNumber)
    self.bytes = bytes
  }
}

extension EncryptedValue {
  /// The number of the key and the bytes as one string.
  var text: String { "k\(keyNumber).\(bytes.base64EncodedString())" }

  /// Creates an encrypted value from its string, or returns `nil` if the string has another form.
  init?(text: String) {
    let utf8 = text.utf8
    guard utf8.first == UInt8(ascii: "k"), let end = utf8.firstIndex(of: UInt8(ascii: ".")) else {
      return nil
    }
    let digits = text[utf8.index(after: utf8.startIndex)..<end]
    guard let number = UInt32(digits), number > 0, String(number) == digits,
      let bytes = Data(base64Encoded: String(text[utf8.index(after: end)...]))
    else { return nil }
    self.init(keyNumber: number, bytes: bytes)
  }
}
