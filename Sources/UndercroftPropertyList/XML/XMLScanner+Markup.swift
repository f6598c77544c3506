extension XMLScanner {
  /// Advances to the outermost element, past the declaration and the document type.
  mutating func skipProlog() throws(PropertyListError) {
    repeat { try skipMiscellany() } while try skipDocumentType()
  }

  /// Advances past a document type; returns `false` if there is none.
  private mutating func skipDocumentType() throws(PropertyListError) -> Bool {
    let start = offset
    guard skip("<!DOCTYPE") else { return false }
    while let byte = current {
      switch byte {
      case UInt8(ascii: ">"):
        offset += 1
        return true
      case UInt8(ascii: "["):
        throw error(
          "the document type has an internal subset, which is refused because it defines entities")
      case UInt8(ascii: "\""), UInt8(ascii: "'"): skipQuotedText(byte)
      default: offset += 1
      }
    }
    throw error(at: start, "the document type has no end")
  }

  /// Advances past the attributes and the end of a start tag.
  ///
  /// - Returns: whether the tag is that of an empty element (`/>`).
  mutating func skipAttributes() throws(PropertyListError) -> Bool {
    let start = offset
    while let byte = current {
      switch byte {
      case UInt8(ascii: ">"):
        offset += 1
        return bytes[offset - 2] == UInt8(ascii: "/")
      case UInt8(ascii: "\""), UInt8(ascii: "'"): skipQuotedText(byte)
      case UInt8(ascii: "<"): throw error("a tag is inside of another tag")
      default: offset += 1
      }
    }
    throw error(at: start, "the start tag has no end")
  }

  /// Advances past a quoted text, or only past the quote if a tag begins before the text ends.
  ///
  /// Attributes and document types have no meaning in a property list, so that a missing quote is
  /// no reason to refuse the list.
  private mutating func skipQuotedText(_ quote: UInt8) {
    offset += 1
    var end = offset
    while end < bytes.count, bytes[end] != quote, bytes[end] != UInt8(ascii: "<") { end += 1 }
    if end < bytes.count, bytes[end] == quote { offset = end + 1 }
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
        at: place, "an end tag does not match the start tag \"\(element.name)\"",
        excerpt: name)
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
      default: skipPlainText()
      }
    }
    return isPlain
  }

  /// Advances to the next tag or reference.
  mutating func skipPlainText() {
    while offset < bytes.count, bytes[offset] != UInt8(ascii: "<"),
      bytes[offset] != UInt8(ascii: "&")
    {
      offset += 1
    }
  }

  /// Advances past a reference such as `&amp;` or `&#10;` and returns the character.
  mutating func characterReference() throws(PropertyListError) -> Unicode.Scalar {
    let start = offset
    offset += 1
    // The longest valid references have 10 bytes, apart from leading zeros.
    let limit = min(bytes.count, offset + 32)
    while offset < limit, bytes[offset] != UInt8(ascii: ";") { offset += 1 }
    guard offset < limit else { throw error(at: start, "the \"&\" begins no valid reference") }
    let range = start + 1..<offset
    let name = String(decoding: bytes[range], as: UTF8.self)
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
        at: start, "an entity is not one of the five predefined entities of XML", excerpt: range)
    }
    let isHexadecimal = name.utf8.dropFirst().first == UInt8(ascii: "x")
    let digits = name.dropFirst(isHexadecimal ? 2 : 1)
    guard digits.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
      let number = UInt32(digits, radix: isHexadecimal ? 16 : 10),
      let scalar = Unicode.Scalar(number)
    else { throw error(at: start, "a character reference is not a character", excerpt: range) }
    return scalar
  }
}
