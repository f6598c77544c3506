#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Finds property lists on which Foundation would not fail but end the process.
enum PropertyListShape {
  static func isReadable(_ bytes: Data) -> Bool {
    bytes.withUnsafeBytes { bytes in
      bytes.starts(with: "bplist".utf8) ? hasRoom(bytes) : isShallow(bytes)
    }
  }

  private static func isShallow(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // Without zeros, UTF-16 has the same marks as UTF-8.
    var rest = bytes.filter { $0 != 0 }[...]
    var depth = 0
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[start...].dropFirst()
      if rest.starts(with: "!--".utf8) {
        rest = skip(to: "--", in: rest.dropFirst(3))
        continue
      }
      if rest.starts(with: "![CDATA[".utf8) {
        rest = skip(to: "]]", in: rest.dropFirst(8))
        continue
      }
      guard let first = rest.first, let end = rest.firstIndex(of: UInt8(ascii: ">")) else { break }
      switch first {
      case UInt8(ascii: "!"), UInt8(ascii: "?"): break
      case UInt8(ascii: "/"): depth = max(0, depth - 1)
      default: if rest[end - 1] != UInt8(ascii: "/") { depth += 1 }
      }
      // Foundation's reader of XML calls itself at every level; the outermost mark is "plist".
      if depth > Nesting.deepest + 1 { return false }
      rest = rest[end...]
    }
    return true
  }

  /// Returns what follows the next `>` that `mark` stands before.
  private static func skip(to mark: String, in text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = text
    while let end = rest.firstIndex(of: UInt8(ascii: ">")) {
      rest = rest[end...].dropFirst()
      if text[..<end].suffix(mark.utf8.count).elementsEqual(mark.utf8) { break }
      if rest.isEmpty { break }
    }
    return rest
  }

  /// Whether no object of a binary property list claims to be larger than the file.
  private static func hasRoom(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // What is wrong with the trailer itself Foundation finds.
    guard bytes.count >= 40 else { return true }
    let trailer = bytes.count - 32
    let (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
    guard let count = number(bytes, trailer + 8, 8), let table = number(bytes, trailer + 24, 8),
      offsetSize > 0, table < trailer, count <= (trailer - table) / offsetSize
    else { return true }
    for place in 0..<count {
      guard let offset = number(bytes, table + place * offsetSize, offsetSize), offset < trailer
      else { continue }
      let unit =
        switch bytes[offset] >> 4 {
        case 4, 5: 1
        case 6: 2
        case 10, 12: referenceSize
        case 13: 2 * referenceSize
        default: 0
        }
      var size: Int? = Int(bytes[offset] & 15)
      if size == 15, unit > 0, offset + 1 < trailer {
        size = number(bytes, offset + 2, 1 << Int(bytes[offset + 1] & 15))
      }
      guard let size, unit == 0 || size <= trailer / unit else { return false }
    }
    return true
  }

  private static func number(_ bytes: UnsafeRawBufferPointer, _ offset: Int, _ size: Int) -> Int? {
    guard offset >= 0, size > 0, size <= 8, offset <= bytes.count - size else { return nil }
    return Int(exactly: bytes[offset..<offset + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}
