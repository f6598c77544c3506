#if SyncServer
  import UndercroftSync

  /// The secret of a token: `ucs_` and 43 characters, which are 256 random bits in base64url.
  enum TokenSecret {
    private static let prefix = "ucs_"
    /// The number of characters after the prefix.
    private static let count = 43
    private static let alphabet = [UInt8](
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Returns a new secret from the random number generator of the system.
    static func make() -> String {
      var generator = SystemRandomNumberGenerator()
      return prefix + characters(count, from: &generator)
    }

    /// Returns whether a text has the form of a secret.
    static func isWellFormed(_ text: String) -> Bool {
      let bytes = text.utf8
      return bytes.count == prefix.utf8.count + count && bytes.starts(with: prefix.utf8)
        && bytes.dropFirst(prefix.utf8.count).allSatisfy(alphabet.contains)
    }

    /// Returns a new public identifier of 48 random bits.
    static func makeIdentifier() -> String {
      var generator = SystemRandomNumberGenerator()
      return characters(8, from: &generator)
    }

    private static func characters(
      _ count: Int, from generator: inout SystemRandomNumberGenerator
    ) -> String {
      // The alphabet has 64 characters, so each one has the same probability.
      let bytes = (0..<count).map { _ in alphabet[Int(generator.next() & 63 as UInt64)] }
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
