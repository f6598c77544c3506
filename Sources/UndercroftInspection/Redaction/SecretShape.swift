import UndercroftFoundation

/// The search for secrets that are recognised by their form.
enum SecretShape {
  /// Returns whether a text contains a secret of a known form: a private key, a token of a known
  /// issuer, credentials of HTTP or in a URL, or a secret name with a value.
  ///
  /// - Complexity: O(*n*) for *n* bytes.
  static func isPresent(in text: ASCIIText) -> Bool { first(in: text) != nil }

  /// Returns the first secret of a known form that begins at or after an offset, or `nil` if there
  /// is none.
  ///
  /// Another secret can begin inside of the result, and end after it.
  static func first(in text: ASCIIText, from start: Int = 0) -> Range<Int>? {
    var isInWord = start > 0 && ASCIIClass.isAlphanumeric(text.bytes[start - 1])
    var offset = start
    while offset < text.searchedCount {
      let byte = text.bytes[offset]
      if ASCIIClass.isAlphanumeric(byte) {
        if !isInWord,
          let end = KnownSecret.end(from: offset, in: text) ?? credentialsEnd(from: offset, text)
        {
          return offset..<end
        }
        isInWord = true
      } else {
        isInWord = false
        if let end = end(from: offset, byte, text) { return offset..<end }
      }
      offset += 1
    }
    return nil
  }

  /// Returns the part of a text that must not be shown because of a secret that ``first(in:from:)``
  /// has found.
  ///
  /// The separator, the scheme of a URL or the tag of XML before a value can be shown. A token is
  /// not shown to the end of its word, because it may be longer than its known form.
  static func hiddenPart(of secret: Range<Int>, in text: ASCIIText) -> Range<Int> {
    let start: Int
    switch text.bytes[secret.lowerBound] {
    case UInt8(ascii: ":") where text.has("://", at: secret.lowerBound):
      start = secret.lowerBound + 3
    case UInt8(ascii: ":"), UInt8(ascii: "="):
      start = text.end(from: secret.lowerBound + 1) { $0 == 0x20 || $0 == 0x09 }
    case UInt8(ascii: "<") where !text.has("<key>", at: secret.lowerBound):
      start = text.end(from: secret.lowerBound) { $0 != UInt8(ascii: ">") } + 1
    default: return text.words(around: secret)
    }
    return min(start, secret.upperBound)..<secret.upperBound
  }

  /// Returns the end of the secret that begins with a punctuation character, or `nil` if there is
  /// none.
  private static func end(from offset: Int, _ byte: UInt8, _ text: ASCIIText) -> Int? {
    if let end = SecretAssignment.end(from: offset, in: text) { return end }
    switch byte {
    case UInt8(ascii: ":"): return passwordEnd(inURLAt: offset, text)
    case UInt8(ascii: "-"): return privateKeyEnd(from: offset, text)
    default: return nil
    }
  }

  /// Returns the end of the private key in the PEM format (RFC 7468) that begins at an offset, or
  /// `nil` if there is none.
  ///
  /// A key without its last line ends where all patterns end.
  private static func privateKeyEnd(from offset: Int, _ text: ASCIIText) -> Int? {
    guard text.has("-----BEGIN ", at: offset) else { return nil }
    let label = text.end(from: offset + 11) { $0 != UInt8(ascii: "-") && $0 != 0x0a }
    guard text.string(offset + 11..<label).contains("PRIVATE KEY") else { return nil }
    guard let last = text.offset(of: "-----END ", from: label) else {
      return min(offset + ASCIIText.contextCount, text.bytes.count)
    }
    return text.end(from: last) { $0 != 0x0a }
  }

  /// Returns the end of the part `://user:password@` of a URL, of which the colon is at an offset,
  /// or `nil` if there is no such part.
  private static func passwordEnd(inURLAt offset: Int, _ text: ASCIIText) -> Int? {
    guard text.has("://", at: offset) else { return nil }
    let start = offset + 3
    let end = text.end(from: start) {
      !ASCIIClass.isSpace($0) && !ASCIIClass.isQuote($0)
        && ![UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "<")].contains(
          $0)
    }
    let authority = text.bytes[start..<end]
    guard let colon = authority.firstIndex(of: UInt8(ascii: ":")),
      let sign = authority.lastIndex(of: UInt8(ascii: "@"))
    else { return nil }
    return sign - colon > 1 ? sign : nil
  }

  /// Returns the end of the `Bearer` or `Basic` credentials of HTTP that begin at an offset, or
  /// `nil` if there are none.
  ///
  /// A sentence can contain both words, so the rest of a bearer token contains a digit or is long,
  /// and basic credentials decode to a text with a colon.
  private static func credentialsEnd(from offset: Int, _ text: ASCIIText) -> Int? {
    guard text.bytes[offset] | 0x20 == UInt8(ascii: "b") else { return nil }
    let isBearer = text.has("bearer ", at: offset, ignoringCase: true)
    guard isBearer || text.has("basic ", at: offset, ignoringCase: true) else { return nil }
    let start = text.end(from: offset + (isBearer ? 7 : 6)) { $0 == UInt8(ascii: " ") }
    let end = text.end(from: start, while: ASCIIClass.isToken)
    guard end - start >= 8 else { return nil }
    let token = text.bytes[start..<end]
    let isSecret =
      isBearer
      ? token.contains(where: ASCIIClass.isDigit) || token.count >= 24
      : Data(base64Encoded: Data(token))?.contains(UInt8(ascii: ":")) ?? false
    return isSecret ? end : nil
  }
}
