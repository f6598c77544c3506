/// The search for secret names that are followed by their values.
///
/// The forms are `name=value`, `"name": value`, `name: value` at the start of a line, and the
/// elements `<name>value</name>` and `<key>name</key>` of XML. Damaged JSON, queries of URLs,
/// headers of HTTP and property lists contain such forms. A word, a colon and a word without a
/// space, such as the package `base-passwd:amd64`, do not have such a form, and a value that is a
/// version, such as in `base-passwd=3.6.1`, is not a secret.
enum SecretAssignment {
  private static let maximumNameSize = 64

  /// Returns the end of the value if the byte at an offset separates a secret name from its value,
  /// or begins such an element of XML, and otherwise `nil`.
  static func end(from offset: Int, in text: ASCIIText) -> Int? {
    switch text.bytes[offset] {
    case UInt8(ascii: "="):
      isAssignment(at: offset, text) ? AssignedValue.end(from: offset + 1, in: text) : nil
    case UInt8(ascii: ":"):
      isMember(at: offset, text) ? AssignedValue.end(from: offset + 1, in: text) : nil
    case UInt8(ascii: "<"):
      isElement(at: offset, text) ? AssignedValue.end(ofElementAt: offset, in: text) : nil
    default: nil
    }
  }

  private static func isAssignment(at offset: Int, _ text: ASCIIText) -> Bool {
    guard !text.has("==", at: offset), hasValue(at: offset + 1, text),
      let name = name(before: offset, text)
    else { return false }
    return SecretName.isSecret(text.string(name.range))
  }

  private static func isMember(at offset: Int, _ text: ASCIIText) -> Bool {
    guard !text.has("://", at: offset), hasValue(at: offset + 1, text),
      let name = name(before: offset, text),
      name.isQuoted || isSeparated(name.range, offset, text) && startsLine(name.range, text)
    else { return false }
    return SecretName.isSecret(text.string(name.range))
  }

  private static func isElement(at offset: Int, _ text: ASCIIText) -> Bool {
    let start = offset + 1
    let end = nameEnd(from: start, text)
    guard end > start, text.has(">", at: end), !text.has("<", at: end + 1) else { return false }
    guard text.string(start..<end) == "key" else {
      return end + 1 < text.bytes.count && SecretName.isSecret(text.string(start..<end))
    }
    let key = end + 1
    let keyEnd = nameEnd(from: key, text)
    return text.has("</key>", at: keyEnd) && SecretName.isSecret(text.string(key..<keyEnd))
  }

  /// Returns the name that ends before an offset, without spaces and a quotation mark after it.
  private static func name(
    before offset: Int, _ text: ASCIIText
  ) -> (range: Range<Int>, isQuoted: Bool)? {
    var end = offset
    let nearest = max(0, offset - maximumNameSize)
    while end > nearest, text.bytes[end - 1] == UInt8(ascii: " ") { end -= 1 }
    let isQuoted = end > 0 && ASCIIClass.isQuote(text.bytes[end - 1])
    if isQuoted {
      end -= 1
      // JSON inside of a JSON string has escaped quotation marks.
      while end > nearest, text.bytes[end - 1] == UInt8(ascii: "\\") { end -= 1 }
    }
    var start = end
    while start > nearest, isNamePart(text.bytes[start - 1]) { start -= 1 }
    return start < end ? (start..<end, isQuoted) : nil
  }

  private static func nameEnd(from start: Int, _ text: ASCIIText) -> Int {
    let end = text.end(from: min(start, text.bytes.count), while: isNamePart)
    return end - start > maximumNameSize ? start : end
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    ASCIIClass.isURLSafe(byte) || byte == UInt8(ascii: ".")
  }

  /// Returns whether a space or a quotation mark follows the colon after a name, or the name begins
  /// a member of an object in JavaScript, such as in `{name:value}`.
  private static func isSeparated(
    _ name: Range<Int>, _ colon: Int, _ text: ASCIIText
  ) -> Bool {
    guard colon + 1 < text.bytes.count else { return false }
    let next = text.bytes[colon + 1]
    if ASCIIClass.isSpace(next) || ASCIIClass.isQuote(next) || next == UInt8(ascii: "\\") {
      return true
    }
    return name.lowerBound > 0
      && [UInt8(ascii: "{"), UInt8(ascii: ",")].contains(text.bytes[name.lowerBound - 1])
  }

  private static func startsLine(_ name: Range<Int>, _ text: ASCIIText) -> Bool {
    var start = name.lowerBound
    let nearest = max(0, start - maximumNameSize)
    while start > nearest, [0x20, 0x09, UInt8(ascii: "-")].contains(text.bytes[start - 1]) {
      start -= 1
    }
    guard start > 0 else { return true }
    return [0x0a, 0x0d, UInt8(ascii: "{"), UInt8(ascii: ",")].contains(text.bytes[start - 1])
  }

  /// Returns whether a value other than null, a truth value and a version follows on the same line.
  private static func hasValue(at offset: Int, _ text: ASCIIText) -> Bool {
    let start = text.end(from: offset) {
      $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: "\\") || ASCIIClass.isQuote($0)
    }
    guard start < text.bytes.count else { return false }
    if isVersion(at: start, text) { return false }
    let end = text.end(from: start) { ASCIIClass.isAlphanumeric($0) }
    if end > start { return end - start > 5 || !isConstant(text.string(start..<end)) }
    let byte = text.bytes[start]
    let isEmpty = ASCIIClass.isSpace(byte) || [0x26, 0x2c, 0x3b, 0x5d, 0x7d].contains(byte)
    return !isEmpty
  }

  /// Returns whether a number with at least one dot, such as 3.6.1-2, begins at an offset.
  private static func isVersion(at start: Int, _ text: ASCIIText) -> Bool {
    let end = text.end(from: start, limit: maximumNameSize) {
      ASCIIClass.isDigit($0) || $0 == UInt8(ascii: ".")
    }
    let number = text.bytes[start..<end]
    guard number.first.map(ASCIIClass.isDigit) == true, number.contains(UInt8(ascii: ".")) else {
      return false
    }
    return end == text.bytes.count || !ASCIIClass.isAlphanumeric(text.bytes[end])
  }

  private static func isConstant(_ word: String) -> Bool {
    ["null", "nil", "none", "true", "false"].contains(word.lowercased())
  }
}
