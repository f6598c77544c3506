import UndercroftFoundation

/// A property list in the form of OpenStep, `{ title = (…); }`, which Foundation decodes.
struct OldStylePropertyList: DecodablePropertyList {
  /// The text in UTF-8.
  private let text: Data

  /// An upper bound of the levels of the list: the number of its opening brackets.
  ///
  /// Foundation's parser rejects more than 512 levels.
  let maximumDepth: Int

  /// Creates a list of text in UTF-8 or UTF-16.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if the bytes are not text.
  init(_ bytes: Data) throws {
    guard let text = Self.inUTF8(bytes) else {
      throw DecodingError.rejected(
        RejectedBytes(
          reason: "the bytes are neither a property list nor text in UTF-8 or UTF-16",
          suggestion: RejectedBytes.replacing))
    }
    self.text = text
    maximumDepth = text.count { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "{") }
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try PropertyListDecoder().decode(type, from: text)
  }

  /// Returns text in UTF-8, or `nil` if the text is invalid UTF-16 or contains a NUL.
  ///
  /// Text with a UTF-16 byte order mark is converted to UTF-8 with a byte order mark.
  private static func inUTF8(_ list: Data) -> Data? {
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
    return Data([0xef, 0xbb, 0xbf]) + Data(text.utf8)
  }
}
