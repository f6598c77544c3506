import UndercroftFoundation

/// The decision of whether a text contains a secret that is recognised by its form.
enum SecretShape {
  /// Returns whether a text contains a secret of a known form: a private key, a token of a known
  /// issuer, credentials of HTTP or in a URL, or a secret name with a value.
  ///
  /// - Complexity: O(*n*) for *n* bytes.
  static func isKnown(_ text: ASCIIText) -> Bool {
    if hasPrivateKey(text) || SecretAssignment.isPresent(in: text) { return true }
    for offset in text.bytes.indices {
      if text.bytes[offset] == UInt8(ascii: ":"), hasPassword(inURLAt: offset, text) { return true }
      guard ASCIIClass.isAlphanumeric(text.bytes[offset]), text.isWordStart(offset) else {
        continue
      }
      if KnownSecret.begins(at: offset, in: text) || hasCredentials(at: offset, text) {
        return true
      }
    }
    return false
  }

  /// Returns whether a text contains a private key in the PEM format (RFC 7468).
  private static func hasPrivateKey(_ text: ASCIIText) -> Bool {
    var start = text.offset(of: "-----BEGIN ")
    while let label = start {
      let end = text.end(from: label + 11) { $0 != UInt8(ascii: "-") && $0 != 0x0a }
      if text.string(label + 11..<end).contains("PRIVATE KEY") { return true }
      start = text.offset(of: "-----BEGIN ", from: end)
    }
    return false
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
