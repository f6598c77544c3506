/// A cursor over the text of an XML file.
struct XMLScanner {
  let bytes: [UInt8]
  var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { offset >= bytes.count }

  /// The byte at the cursor, or `nil` at the end.
  var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
  }

  /// Returns an error at an offset, or at the cursor.
  ///
  /// - Parameters:
  ///   - offset: the offset of the defect, or `nil` for the cursor.
  ///   - reason: the defect, without text of the file.
  ///   - excerpt: the range of the text that is wrong.
  func error(
    at offset: Int? = nil, _ reason: String, excerpt: Range<Int>? = nil
  ) -> PropertyListError {
    PropertyListError(
      location: XMLLocations.location(of: offset ?? self.offset, in: bytes), reason: reason,
      excerpt: excerpt.map(text))
  }

  /// Returns whether the bytes at the cursor are those of an ASCII text.
  func isAt(_ text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    guard length <= bytes.count - offset else { return false }
    return text.withUTF8Buffer { expected in
      for index in 0..<length where bytes[offset + index] != expected[index] { return false }
      return true
    }
  }

  /// Advances past an ASCII text and returns `true`, or returns `false` if it is not there.
  mutating func skip(_ text: StaticString) -> Bool {
    guard isAt(text) else { return false }
    offset += text.utf8CodeUnitCount
    return true
  }

  mutating func skipSpaces() {
    while offset < bytes.count, Self.isSpace(bytes[offset]) { offset += 1 }
  }

  /// Advances past the next occurrence of an ASCII text.
  ///
  /// - Parameters:
  ///   - text: the text that ends a construct.
  ///   - construct: the name of the construct for errors.
  mutating func skip(
    through text: StaticString, endOf construct: String
  ) throws(PropertyListError) {
    let start = offset
    let first = text.withUTF8Buffer { $0.first }
    while offset < bytes.count {
      if bytes[offset] == first, skip(text) { return }
      offset += 1
    }
    throw error(at: start, "\(construct) has no end")
  }

  /// Advances past comments, processing instructions and white space.
  mutating func skipMiscellany() throws(PropertyListError) {
    while true {
      skipSpaces()
      guard try skipCommentOrInstruction() else { return }
    }
  }

  /// Advances past a comment or a processing instruction; returns `false` if neither is there.
  mutating func skipCommentOrInstruction() throws(PropertyListError) -> Bool {
    if skip("<!--") {
      try skip(through: "-->", endOf: "the comment")
    } else if skip("<?") {
      guard current != UInt8(ascii: ">") else {
        throw error(at: offset - 2, "a processing instruction has no name")
      }
      try skip(through: "?>", endOf: "the processing instruction")
    } else {
      return false
    }
    return true
  }

  /// Advances past a name and returns its range.
  mutating func name() -> Range<Int> {
    let start = offset
    while offset < bytes.count {
      let byte = bytes[offset]
      if Self.isSpace(byte) || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
        || byte == UInt8(ascii: "<")
      {
        break
      }
      offset += 1
    }
    return start..<offset
  }

  /// Returns at most 40 bytes of a range as text for an error.
  private func text(_ range: Range<Int>) -> String {
    let text = String(decoding: bytes[range.prefix(40)], as: UTF8.self)
    return range.count > 40 ? text + "…" : text
  }
}
