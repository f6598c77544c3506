import UndercroftFoundation

/// The declaration of an XML file, such as `<?xml version="1.0" encoding="UTF-8"?>`.
enum XMLDeclaration {
  /// The names of the encodings that the first bytes of a file distinguish, or that are part of
  /// UTF-8.
  private static let unicode = [
    "utf-8", "utf8", "utf-16", "utf-16le", "utf-16be", "us-ascii", "ascii",
  ]
  private static let latin1 = ["iso-8859-1", "iso8859-1", "iso_8859-1", "latin1"]
  /// The maximum size of a declaration, in bytes.
  private static let maximumSize = 1024

  /// Returns whether a file declares the encoding ISO 8859-1.
  ///
  /// A declaration without a quoted encoding declares none.
  ///
  /// - Throws: `PropertyListError` if the file declares an encoding that is not supported.
  static func isLatin1(_ bytes: Data) throws(PropertyListError) -> Bool {
    var scanner = XMLScanner(Array(bytes.prefix(maximumSize)))
    guard scanner.skip("<?xml") else { return false }
    while !scanner.skip("encoding") {
      guard !scanner.isAtEnd, !scanner.isAt("?>") else { return false }
      scanner.offset += 1
    }
    scanner.skipSpaces()
    guard scanner.skip("=") else { return false }
    scanner.skipSpaces()
    guard let quote = scanner.current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
    else { return false }
    let start = scanner.offset + 1
    let range = start..<start + scanner.bytes[start...].prefix { $0 != quote }.count
    let name = String(decoding: scanner.bytes[range], as: UTF8.self).lowercased()
    guard unicode.contains(name) || latin1.contains(name) else {
      throw scanner.error(
        at: start, "the encoding is not supported; convert the file to UTF-8", excerpt: range)
    }
    return latin1.contains(name)
  }

  /// Returns whether the first character of a text other than white space is that of a tag.
  static func beginsElement(_ bytes: Data) -> Bool {
    let text: Data
    let width: Int
    switch try? XMLEncoding(bytes) {
    case .utf8(let mark): (text, width) = (bytes.dropFirst(mark), 1)
    case .utf16(let isBigEndian, let mark):
      (text, width) = (bytes.dropFirst(mark + (isBigEndian ? 1 : 0)), 2)
    case .latin1, .utf32, nil: return true
    }
    var index = text.startIndex
    while index < text.endIndex, XMLScanner.isSpace(text[index]) { index += width }
    return index < text.endIndex && text[index] == UInt8(ascii: "<")
  }

  /// Returns whether the first bytes of a file are those of an XML property list.
  static func beginsPropertyList(_ start: Data) -> Bool {
    let start = start.prefix(4096)
    let text: String
    switch try? XMLEncoding(start) {
    case .utf8(let mark): text = String(decoding: start.dropFirst(mark), as: UTF8.self)
    case .utf16(_, let mark):
      // The tags are ASCII, so that the order of bytes does not matter.
      text = String(decoding: start.dropFirst(mark).filter { $0 != 0 }, as: UTF8.self)
    case .utf32: return false
    // The tags are ASCII in the other encodings.
    case .latin1, nil: text = String(decoding: start, as: UTF8.self)
    }
    let trimmed = text.utf8.drop { [0x20, 0x09, 0x0a, 0x0d].contains($0) }
    let roots = ["<plist", "<!DOCTYPE plist"]
    if roots.contains(where: { trimmed.starts(with: $0.utf8) }) { return true }
    guard trimmed.starts(with: "<?xml".utf8) || trimmed.starts(with: "<!--".utf8) else {
      return false
    }
    return trimmed.indices.lazy.filter { trimmed[$0] == UInt8(ascii: "<") }.contains { index in
      roots.contains { trimmed[index...].starts(with: $0.utf8) }
    }
  }
}
