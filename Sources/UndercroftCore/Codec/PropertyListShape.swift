#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Measures property lists before Foundation reads them, and finds those on which Foundation would end the process.
enum PropertyListShape {
  /// Returns how many levels of arrays and dictionaries there are, or why the list must not be
  /// read.
  ///
  /// The bytes are a binary list or text in UTF-8. Too few levels are never returned; 0 stands for any small number.
  static func depth(of bytes: Data) -> Result<Int, PropertyListDefect> {
    bytes.withUnsafeBytes { bytes in
      if bytes.starts(with: "bplist".utf8) { return BinaryPropertyListShape.depth(of: bytes) }
      var text = XMLPropertyListShape(bytes)
      guard text.isXML else { return .success(brackets(in: bytes)) }
      return text.depth().map(Result.success) ?? .failure(.tooDeep)
    }
  }

  /// Returns the bytes of `list`, if they are text with the byte order mark of UTF-16, as UTF-8 with its mark.
  ///
  /// So Foundation reads the same characters that are measured here; text in UTF-32, or with a NUL, is no property list.
  static func inUTF8(_ list: Data) -> Data? {
    if list.starts(with: "bplist".utf8) { return list }
    let isBigEndian = list.starts(with: [0xfe, 0xff])
    guard isBigEndian || list.starts(with: [0xff, 0xfe]) else {
      return list.contains(0) ? nil : list
    }
    let bytes = [UInt8](list.dropFirst(2))
    var units: [UInt16] = []
    for place in stride(from: 0, to: bytes.count - 1, by: 2) {
      let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      units.append(isBigEndian ? first << 8 | second : second << 8 | first)
    }
    guard bytes.count.isMultiple(of: 2), !units.contains(0),
      let text = String(validating: units, as: UTF16.self)
    else { return nil }
    // With the mark the encoding that the text itself declares, such as "UTF-16", is not asked for.
    return Data([0xef, 0xbb, 0xbf]) + Data(text.utf8)
  }

  /// The old form of property lists, `{ title = (…); }`, cannot have more levels than opening brackets.
  private static func brackets(in bytes: UnsafeRawBufferPointer) -> Int {
    bytes.count { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "{") }
  }
}
