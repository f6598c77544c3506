#if SyncServer
  import UndercroftSync

  /// The secret of a token: `ucs_` and 43 characters, which are 256 random bits in base64url.
  enum TokenSecret {
    private static let prefix = "ucs_"
    /// The number of characters after the prefix.
    private static let count = 43
    private static let lettersAndDigits = [UInt8](
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    private static let base64URL = lettersAndDigits + [UInt8]("-_".utf8)

    /// Returns a new secret from the random number generator of the system.
    static func make() -> String {
      prefix + random(count, of: base64URL)
    }

    /// Returns whether a text has the form of a secret.
    static func isWellFormed(_ text: String) -> Bool {
      let bytes = text.utf8
      return bytes.count == prefix.utf8.count + count && bytes.starts(with: prefix.utf8)
        && bytes.dropFirst(prefix.utf8.count).allSatisfy(base64URL.contains)
    }

    /// Returns a new public identifier of 8 letters and digits, which are about 47 random bits.
    ///
    /// A hyphen at its start would make it an option of the command that revokes the token.
    static func makeIdentifier() -> String { random(8, of: lettersAndDigits) }

    /// Returns characters of an alphabet from the random number generator of the system.
    private static func random(_ count: Int, of alphabet: [UInt8]) -> String {
      let bytes = (0..<count).map { _ in alphabet[Int.random(in: alphabet.indices)] }
      return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the digest that is stored instead of a secret.
    ///
    /// A fast hash suffices, because a secret of 256 bits cannot be found by trying.
    static func digest(of secret: String) -> String {
      SHA256Digest(of: [UInt8](secret.utf8)).digits
    }
  }
#endif
