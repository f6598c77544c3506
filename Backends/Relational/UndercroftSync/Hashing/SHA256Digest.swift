#if canImport(CryptoKit)
  import CryptoKit
#else
  import CMessageDigest
#endif

/// A SHA-256 digest of 32 bytes. (FIPS 180-4)
package struct SHA256Digest: Hashable, Sendable {
  /// The number of bytes of a digest.
  package static let byteCount = 32

  /// The 32 bytes of the digest.
  package let bytes: [UInt8]

  /// Computes the digest of a message.
  package init(of message: [UInt8]) {
    #if canImport(CryptoKit)
      bytes = [UInt8](SHA256.hash(data: message))
    #else
      var context = SHA2_CTX()
      var digest = [UInt8](repeating: 0, count: Self.byteCount)
      SHA256Init(&context)
      SHA256Update(&context, message, message.count)
      SHA256Final(&digest, &context)
      bytes = digest
    #endif
  }

  /// Creates a digest from the 64 lower-case hexadecimal digits that messages contain, or returns
  /// `nil` for any other string.
  package init?(digits: String) {
    let digits = [UInt8](digits.utf8)
    guard digits.count == 2 * Self.byteCount else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = Self.value(of: digits[index]), let low = Self.value(of: digits[index + 1])
      else { return nil }
      bytes.append(high << 4 | low)
    }
    self.bytes = bytes
  }

  /// Creates a digest from its 32 bytes, or returns `nil` for another number of bytes.
  init?(stored bytes: some Collection<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = [UInt8](bytes)
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  /// The digest as 64 hexadecimal digits in lower case, as messages contain it.
  package var digits: String {
    let alphabet = [UInt8]("0123456789abcdef".utf8)
    let digits = bytes.flatMap { [alphabet[Int($0 >> 4)], alphabet[Int($0 & 15)]] }
    return String(decoding: digits, as: UTF8.self)
  }
}
