extension XMLScanner {
  /// Advances to the outermost element, past the declaration and the document type.
  mutating func skipProlog() throws(PropertyListError) {
    skipSpaces()
    if isAt("<?xml") { try verifyEncoding() }
    try skipMiscellany()
    let start = offset
    guard skip("<!DOCTYPE") else { return }
    while let byte = current {
      offset += 1
      switch byte {
      case UInt8(ascii: ">"):
        try skipMiscellany()
        return
      case UInt8(ascii: "["):
        throw error(
          at: offset - 1,
          "the document type has an internal subset, which is refused because it defines entities")
      case UInt8(ascii: "\""): try skip(through: "\"", endOf: "the quoted text")
      case UInt8(ascii: "'"): try skip(through: "'", endOf: "the quoted text")
      default: break
      }
    }
    throw error(at: start, "the document type has no end")
  }

  /// Refuses a declaration of an encoding that is neither UTF-8, UTF-16 nor ASCII.
  private mutating func verifyEncoding() throws(PropertyListError) {
    let start = offset
    try skip(through: "?>", endOf: "the XML declaration")
    let end = offset
    offset = start
    while offset < end, !skip("encoding") { offset += 1 }
    guard offset < end else { return }
    skipSpaces()
    guard skip("=") else { throw error("the encoding in the XML declaration has no value") }
    skipSpaces()
    guard let quote = current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw error("the encoding in the XML declaration is not quoted")
    }
    offset += 1
    let value = bytes[offset..<end].prefix { $0 != quote }
    let name = String(decoding: value.prefix(40), as: UTF8.self).lowercased()
    guard ["utf-8", "utf8", "utf-16", "utf-16le", "utf-16be", "us-ascii", "ascii"].contains(name)
    else { throw error("the encoding \"\(name)\" is not supported; convert the file to UTF-8") }
    offset = end
  }

  /// Advances past the attributes and the end of a start tag.
  ///
  /// - Returns: whether the tag is that of an empty element (`/>`).
  mutating func skipAttributes() throws(PropertyListError) -> Bool {
    let start = offset
    while let byte = current {
      offset += 1
      switch byte {
      case UInt8(ascii: ">"): return false
      case UInt8(ascii: "/"):
        guard skip(">") else { throw error("\">\" is missing after \"/\" in a tag") }
        return true
      case UInt8(ascii: "\""): try skip(through: "\"", endOf: "the value of the attribute")
      case UInt8(ascii: "'"): try skip(through: "'", endOf: "the value of the attribute")
      case UInt8(ascii: "<"): throw error(at: offset - 1, "a tag is inside of another tag")
      default: break
      }
    }
    throw error(at: start, "the start tag has no end")
  }

  /// Advances past the end tag of an element.
  mutating func skipEndTag(
    of element: XMLElement, openedAt start: Int
  ) throws(PropertyListError) {
    let place = offset
    guard skip("</") else {
      guard isAtEnd else {
        throw error("the element \(element.name) contains another element")
      }
      throw error(at: start, "the element \(element.name) has no end tag")
    }
    let name = name()
    guard element.hasName(bytes, name) else {
      throw error(
        at: place,
        "the end tag \"\(excerpt(name))\" does not match the start tag \"\(element.name)\"")
    }
    skipSpaces()
    guard skip(">") else { throw error("the end tag \(element.name) has no end") }
  }

  /// Advances to the end tag of an element that contains text, or to a tag that is not allowed.
  ///
  /// - Returns: whether the text needs no decoding.
  mutating func skipText(of element: XMLElement) throws(PropertyListError) -> Bool {
    var isPlain = true
    while let byte = current {
      switch byte {
      case UInt8(ascii: "<"):
        if skip("<![CDATA[") {
          try skip(through: "]]>", endOf: "the CDATA section")
        } else if try !skipCommentOrInstruction() {
          return isPlain
        }
        isPlain = false
      case UInt8(ascii: "&"):
        _ = try characterReference()
        isPlain = false
      case 0x0d:
        isPlain = false
        offset += 1
      default: offset += 1
      }
    }
    return isPlain
  }

  /// Advances past a reference such as `&amp;` or `&#10;` and returns the character.
  mutating func characterReference() throws(PropertyListError) -> Unicode.Scalar {
    let start = offset
    offset += 1
    // The longest valid references have 10 bytes, apart from leading zeros.
    let limit = min(bytes.count, offset + 32)
    while offset < limit, bytes[offset] != UInt8(ascii: ";") { offset += 1 }
    guard offset < limit else { throw error(at: start, "the \"&\" begins no valid reference") }
    let name = String(decoding: bytes[start + 1..<offset], as: UTF8.self)
    offset += 1
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default: break
    }
    guard name.utf8.first == UInt8(ascii: "#") else {
      throw error(
        at: start, "the entity \"\(name)\" is not one of the five predefined entities of XML")
    }
    let isHexadecimal = name.utf8.dropFirst().first == UInt8(ascii: "x")
    let digits = name.dropFirst(isHexadecimal ? 2 : 1)
    guard digits.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
      let number = UInt32(digits, radix: isHexadecimal ? 16 : 10), number > 0,
      let scalar = Unicode.Scalar(number)
    else { throw error(at: start, "the character reference \"&\(name);\" is not a character") }
    return scalar
  }
}
