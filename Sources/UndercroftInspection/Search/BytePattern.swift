/// A text or other bytes that are searched in bytes, with or without regard to the case of ASCII
/// letters.
package struct BytePattern: Sendable {
  /// The searched bytes, with ASCII letters in lowercase if the case of letters is ignored.
  package let bytes: [UInt8]
  package let ignoresCase: Bool

  /// Creates a pattern from the UTF-8 encoding of `text`.
  package init(_ text: String, ignoresCase: Bool = false) {
    bytes = ignoresCase ? text.utf8.map(Self.lowercased) : Array(text.utf8)
    self.ignoresCase = ignoresCase
  }

  /// Creates a pattern from bytes, which can be any bytes.
  package init(bytes: [UInt8]) {
    self.bytes = bytes
    ignoresCase = false
  }

  /// The number of searched bytes.
  package var count: Int { bytes.count }

  /// Whether the decimal text of a number, such as `-1.5e+20`, `inf` or `nan`, can contain the
  /// pattern.
  package var mayMatchNumbers: Bool { bytes.allSatisfy { "0123456789+-.einfa".utf8.contains($0) } }

  /// Returns the lowercase form of an ASCII letter, and any other byte unchanged.
  package static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
  }
}
