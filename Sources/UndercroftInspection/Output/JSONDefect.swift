package import UndercroftFoundation

/// The first place at which a text is not JSON. (RFC 8259)
package struct JSONDefect: Equatable, CustomStringConvertible {
  /// The number of the line, from 1.
  package let line: Int
  /// The number of the first scalar in the line that is not valid, from 1.
  package let column: Int
  /// Whether the text ends before the JSON is complete.
  package let isEnd: Bool

  /// Finds the first place at which a text is not JSON, or returns `nil` if the text is JSON or is
  /// not UTF-8.
  ///
  /// A string, a number or a constant that is not valid is found at its beginning.
  package init?(in text: Data) {
    guard String(validating: text, as: UTF8.self) != nil else { return nil }
    let bytes = Array(text)
    guard let offset = JSONReader.invalidOffset(in: bytes) else { return nil }
    let start = bytes[..<offset]
    let newline = UInt8(ascii: "\n")
    line = start.count { $0 == newline } + 1
    let lineStart = start.lastIndex(of: newline).map { $0 + 1 } ?? 0
    column = String(decoding: start[lineStart...], as: UTF8.self).unicodeScalars.count + 1
    isEnd = offset == bytes.count
  }

  package var description: String {
    "\(isEnd ? "the text ends in" : "see") line \(line), column \(column)"
  }
}
