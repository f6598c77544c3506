import UndercroftFoundation

/// The character encoding of an XML file, detected by its first bytes and its declaration.
enum XMLEncoding: Equatable {
  case utf8(byteOrderMarkSize: Int)
  case utf16(isBigEndian: Bool, byteOrderMarkSize: Int)
  case utf32
  case latin1

  init(_ bytes: Data) throws(PropertyListError) {
    let start = Array(bytes.prefix(4))
    if start.starts(with: [0xef, 0xbb, 0xbf]) {
      // A byte order mark takes precedence over the declaration.
      self = .utf8(byteOrderMarkSize: 3)
    } else if start == [0xff, 0xfe, 0, 0] || start == [0, 0, 0xfe, 0xff]
      || start == [0x3c, 0, 0, 0] || start == [0, 0, 0, 0x3c]
    {
      self = .utf32
    } else if start.starts(with: [0xfe, 0xff]) {
      self = .utf16(isBigEndian: true, byteOrderMarkSize: 2)
    } else if start.starts(with: [0xff, 0xfe]) {
      self = .utf16(isBigEndian: false, byteOrderMarkSize: 2)
    } else if start.starts(with: [0, 0x3c]) {
      self = .utf16(isBigEndian: true, byteOrderMarkSize: 0)
    } else if start.starts(with: [0x3c, 0]) {
      self = .utf16(isBigEndian: false, byteOrderMarkSize: 0)
    } else {
      self = try XMLDeclaration.isLatin1(bytes) ? .latin1 : .utf8(byteOrderMarkSize: 0)
    }
  }

  /// Returns the text of a file in UTF-8, without a byte order mark.
  ///
  /// UTF-8 is not validated here, but where a string is decoded, so that one damaged string does
  /// not make the whole file unreadable.
  static func utf8(_ bytes: Data) throws(PropertyListError) -> [UInt8] {
    switch try XMLEncoding(bytes) {
    case .utf8(let mark): return Array(bytes.dropFirst(mark))
    case .utf16(let isBigEndian, let mark):
      return try utf8(bytes.dropFirst(mark), isBigEndian: isBigEndian)
    case .latin1:
      return bytes.reduce(into: []) { result, byte in
        result.append(contentsOf: UTF8.encode(Unicode.Scalar(byte)) ?? .init())
      }
    case .utf32:
      throw PropertyListError(
        location: .line(1, column: 1), reason: "the text is in UTF-32, which is not supported")
    }
  }

  /// Transcodes UTF-16 to UTF-8.
  ///
  /// The standard library's function for all encodings takes ten times as long.
  private static func utf8(
    _ bytes: Data, isBigEndian: Bool
  ) throws(PropertyListError) -> [UInt8] {
    let bytes = Array(bytes)
    func unit(at index: Int) -> UInt16 {
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count / 2)
    var index = 0
    while index + 1 < bytes.count {
      let first = unit(at: index)
      index += 2
      if first < 0x80 {
        result.append(UInt8(truncatingIfNeeded: first))
        continue
      }
      var scalar = UInt32(first)
      if UTF16.isLeadSurrogate(first), index + 1 < bytes.count {
        let second = unit(at: index)
        guard UTF16.isTrailSurrogate(second) else { throw Self.unpairedSurrogate(after: result) }
        scalar = 0x10000 + (scalar & 0x3ff) << 10 + UInt32(second & 0x3ff)
        index += 2
      }
      guard let encoded = Unicode.Scalar(scalar).flatMap(UTF8.encode) else {
        throw Self.unpairedSurrogate(after: result)
      }
      result.append(contentsOf: encoded)
    }
    guard index == bytes.count else {
      throw PropertyListError(
        location: XMLLocations.location(of: result.count, in: result),
        reason: "the text is not valid UTF-16; half of the last code unit is missing")
    }
    return result
  }

  private static func unpairedSurrogate(after text: [UInt8]) -> PropertyListError {
    PropertyListError(
      location: XMLLocations.location(of: text.count, in: text),
      reason: "the text is not valid UTF-16; a surrogate is unpaired")
  }
}
