import UndercroftFoundation

/// A check that measures the nesting of property lists before Foundation decodes them.
///
/// The check rejects lists that would crash Foundation.
enum PropertyListShape {
  /// Returns the number of levels of nested arrays and dictionaries in a property list, or the
  /// reason why the list must not be decoded.
  ///
  /// The bytes are a binary property list or text in UTF-8. For a list that Foundation
  /// can decode, the result is never too small, with one exception: for XML without
  /// the outermost element `plist`, the result may be one level too small.
  static func depth(of bytes: Data) -> Result<Int, PropertyListDefect> {
    bytes.withUnsafeBytes { bytes in
      if bytes.starts(with: "bplist".utf8) { return BinaryPropertyListShape.depth(of: bytes) }
      var text = XMLPropertyListShape(bytes)
      guard text.isXML else { return .success(brackets(in: bytes)) }
      return text.depth().map(Result.success) ?? .failure(.tooDeep)
    }
  }

  /// Returns `list` in a form that Foundation reads as
  /// binary or as UTF-8, or `nil` if `list` is invalid.
  ///
  /// Text with a UTF-16 byte order mark is converted to UTF-8 with a byte
  /// order mark, so that Foundation reads the same characters that are
  /// measured here. Text in UTF-32 or with a NUL is not a valid property list.
  static func inUTF8(_ list: Data) -> Data? {
    if list.starts(with: "bplist".utf8) { return list }
    let isBigEndian = list.starts(with: [0xfe, 0xff])
    guard isBigEndian || list.starts(with: [0xff, 0xfe]) else {
      return list.contains(0) ? nil : list
    }
    let bytes = [UInt8](list.dropFirst(2))
    var units: [UInt16] = []
    for index in stride(from: 0, to: bytes.count - 1, by: 2) {
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      units.append(isBigEndian ? first << 8 | second : second << 8 | first)
    }
    guard bytes.count.isMultiple(of: 2), !units.contains(0),
      let text = String(validating: units, as: UTF16.self)
    else { return nil }
    // With a byte order mark, Foundation ignores the
    // encoding that the XML declares, such as "UTF-16".
    return Data([0xef, 0xbb, 0xbf]) + Data(text.utf8)
  }

  /// Returns an upper bound of the levels of an old-style property
  /// list, `{ title = (…); }`: the number of its opening brackets.
  private static func brackets(in bytes: UnsafeRawBufferPointer) -> Int {
    bytes.count { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "{") }
  }
}
