import Foundation
import UndercroftFileSystem

/// A text that is searched in the bytes of names and values.
struct SearchPattern {
  private let bytes: [UInt8]
  /// Whether ASCII letters match in either case.
  private let ignoresCase: Bool

  init(_ text: String, ignoresCase: Bool) {
    bytes = ignoresCase ? text.utf8.map(Self.lowercased) : Array(text.utf8)
    self.ignoresCase = ignoresCase
  }

  /// The number of bytes of the text.
  var count: Int { bytes.count }

  /// Returns the offset of the first occurrence in the text, or `nil` if there is none.
  func offset(in text: String) -> Int? {
    var text = text
    return text.withUTF8 { offset(in: UnsafeRawBufferPointer($0)) }
  }

  /// Returns the offset of the first occurrence in the bytes, or `nil` if there is none.
  func offset(in data: Data) -> Int? { data.withUnsafeBytes { offset(in: $0) } }

  private func offset(in buffer: UnsafeRawBufferPointer) -> Int? {
    guard !ignoresCase else { return offsetIgnoringCase(in: buffer) }
    return bytes.withUnsafeBytes { ByteSearch.offset(of: $0, in: buffer) }
  }

  private func offsetIgnoringCase(in buffer: UnsafeRawBufferPointer) -> Int? {
    guard let first = bytes.first else { return 0 }
    var index = 0
    while index <= buffer.count - bytes.count {
      if Self.lowercased(buffer[index]) == first,
        bytes.indices.allSatisfy({ Self.lowercased(buffer[index + $0]) == bytes[$0] })
      {
        return index
      }
      index += 1
    }
    return nil
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
  }
}
