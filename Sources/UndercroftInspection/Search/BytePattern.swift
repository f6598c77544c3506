#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A text that is searched in bytes, with or without regard to the case of ASCII letters.
package struct BytePattern: Sendable {
  /// The bytes of the text, in lowercase if the case of letters is ignored.
  let bytes: [UInt8]
  let ignoresCase: Bool

  /// Creates a pattern from the UTF-8 encoding of `text`.
  package init(_ text: String, ignoresCase: Bool = false) {
    bytes = ignoresCase ? text.utf8.map(Self.lowercased) : Array(text.utf8)
    self.ignoresCase = ignoresCase
  }

  /// The size of the text in bytes.
  package var count: Int { bytes.count }

  /// Whether the decimal text of a number, such as `-1.5e+20`, `inf` or `nan`, can contain the
  /// pattern.
  package var mayMatchNumbers: Bool { bytes.allSatisfy { "0123456789+-.einfa".utf8.contains($0) } }

  static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
  }

  /// Returns whether the pattern is at `start`, where at least ``count`` bytes can be read.
  func isAt(_ start: UnsafeRawPointer) -> Bool {
    bytes.withUnsafeBytes { pattern in
      ignoresCase
        ? pattern.indices.allSatisfy {
          Self.lowercased(start.load(fromByteOffset: $0, as: UInt8.self)) == pattern[$0]
        }
        : pattern.baseAddress.map { memcmp(start, $0, pattern.count) == 0 } ?? true
    }
  }
}
