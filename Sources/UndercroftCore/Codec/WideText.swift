import UndercroftFoundation

/// The conversion of UTF-16 and UTF-32 text to UTF-8, so that
/// Foundation reads the same bytes that ``Nesting`` measures.
enum WideText {
  /// Returns JSON in UTF-8, converted from any Unicode encoding.
  ///
  /// The first character of JSON is an ASCII character, so the positions of zero bytes among the
  /// first four bytes show the encoding if there is no byte order mark.
  ///
  /// - Throws: `DecodingError` if the bytes are not valid text in this encoding.
  static func inUTF8(json bytes: Data) throws -> Data {
    let start = [UInt8](bytes.prefix(4))
    guard start.count == 4, start[0] == 0 || start[1] == 0 || start[0] >= 0xfe else { return bytes }
    switch (start[0], start[1], start[2], start[3]) {
    case (0, 0, 0xfe, 0xff): return try utf8(bytes.dropFirst(4), .utf32BigEndian)
    case (0xff, 0xfe, 0, 0): return try utf8(bytes.dropFirst(4), .utf32LittleEndian)
    case (0xfe, 0xff, _, _): return try utf8(bytes.dropFirst(2), .utf16BigEndian)
    case (0xff, 0xfe, _, _): return try utf8(bytes.dropFirst(2), .utf16LittleEndian)
    case (0, 0, _, _): return try utf8(bytes, .utf32BigEndian)
    case (_, 0, 0, 0): return try utf8(bytes, .utf32LittleEndian)
    case (0, _, _, _): return try utf8(bytes, .utf16BigEndian)
    default: return try utf8(bytes, .utf16LittleEndian)
    }
  }

  private static func utf8(_ bytes: Data, _ encoding: String.Encoding) throws -> Data {
    guard let text = String(bytes: bytes, encoding: encoding) else {
      throw DecodingError.rejected(
        RejectedBytes(
          reason: """
            the JSON is not valid text in UTF-16 or UTF-32, the encoding that the first bytes \
            indicate
            """,
          suggestion: RejectedBytes.replacing))
    }
    return Data(text.utf8)
  }
}
