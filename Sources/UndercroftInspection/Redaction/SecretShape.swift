import UndercroftFoundation

/// The decision of whether a text contains a secret that is recognised by its form.
enum SecretShape {
  /// Returns whether a text contains a secret of a known form: a private key, a token of a known
  /// issuer, credentials of HTTP or in a URL, or a secret name with a value.
  ///
  /// - Complexity: O(*n*) for *n* bytes.
  static func isKnown(_ text: ASCIIText) -> Bool {
    var isInWord = false
    for offset in 0..<text.searchedCount {
      let byte = text.bytes[offset]
      if ASCIIClass.isAlphanumeric(byte) {
        if !isInWord, KnownSecret.begins(at: offset, in: text) || hasCredentials(at: offset, text) {
          return true
        }
        isInWord = true
        continue
      }
      isInWord = false
      if SecretAssignment.isPresent(at: offset, in: text) { return true }
      if byte == UInt8(ascii: ":"), hasPassword(inURLAt: offset, text) { return true }
      if byte == UInt8(ascii: "-"), isPrivateKey(at: offset, text) { return true }
    }
    return false
  }

  /// Returns whether a private key in the PEM format (RFC 7468) begins at an offset.
  private static func isPrivateKey(at offset: Int, _ text: ASCIIText) -> Bool {
    guard text.has("-----BEGIN ", at: offset) else { return false }
    let end = text.end(from: offset + 11) { $0 != UInt8(ascii: "-") && $0 != 0x0a }
    return text.string(offset + 11..<end).contains("PRIVATE KEY")
  }

  /// Returns whether the colon at an offset begins the part `://user:password@` of a URL.
  private static func hasPassword(inURLAt offset: Int, _ text: ASCIIText) -> Bool {
    guard text.has("://", at: offset) else { return false }
    let start = offset + 3
    let end = text.end(from: start) {
      !ASCIIClass.isSpace($0) && !ASCIIClass.isQuote($0)
        && ![UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "<")].contains(
          $0)
    }
    let authority = text.bytes[start..<end]
    guard let colon = authority.firstIndex(of: UInt8(ascii: ":")),
      let sign = authority.lastIndex(of: UInt8(ascii: "@"))
    else { return false }
    return sign - colon > 1
  }

  /// Returns whether `Bearer` or `Basic` credentials of HTTP begin at an offset.
  ///
  /// A sentence can contain both words, so the rest of a bearer token contains a digit or is long,
  /// and basic credentials decode to a text with a colon.
  private static func hasCredentials(at offset: Int, _ text: ASCIIText) -> Bool {
    guard text.bytes[offset] | 0x20 == UInt8(ascii: "b") else { return false }
    let isBearer = text.has("bearer ", at: offset, ignoringCase: true)
    guard isBearer || text.has("basic ", at: offset, ignoringCase: true) else { return false }
    let start = text.end(from: offset + (isBearer ? 7 : 6)) { $0 == UInt8(ascii: " ") }
    let end = text.end(from: start, while: ASCIIClass.isToken)
    guard end - start >= 8 else { return false }
    let token = text.bytes[start..<end]
    if isBearer { return token.contains(where: ASCIIClass.isDigit) || token.count >= 24 }
    return Data(base64Encoded: Data(token))?.contains(UInt8(ascii: ":")) ?? false
  }
}
