/// A scanner that measures the nesting of a property list in XML,
/// because Foundation's parser recurses at every level without a limit.
///
/// The scanner splits the text into tags exactly like Foundation's parser,
/// so that the scanner and the parser find the same comments and elements.
struct XMLPropertyListShape {
  /// The maximum number of nested levels that the scanner measures.
  private static let maximumLevels = Nesting.maximumDecodedDepth + 1

  private let bytes: UnsafeRawBufferPointer
  private var offset = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    if isNext([0xef, 0xbb, 0xbf]) { offset = 3 }
  }

  /// Whether Foundation's parser treats the text as XML and not as an old-style property list.
  var isXML: Bool {
    bytes[offset...].first { !" \t\n\r".utf8.contains($0) } == UInt8(ascii: "<")
  }

  /// Returns the number of nested levels of the property
  /// list, or `nil` if the number exceeds ``maximumLevels``.
  mutating func depth() -> Int? {
    var depth = 0
    // The outermost element is "plist", which is not counted.
    var maximum = 1
    var hasBegun = false
    while move(past: "<") != nil {
      if isNext("?") {
        // Before the first element, Foundation's parser searches for
        // `?>` after the `?`; later, it searches from the `?` itself.
        if !hasBegun { offset += 1 }
        move(past: "?>")
      } else if isNext("!--") {
        offset += 3
        move(past: "-->")
      } else if isNext("![CDATA[") {
        offset += 8
        move(past: "]]>")
      } else if isNext("!") {
        move(past: ">")
      } else if isNext("/") {
        offset += 1
        if isCollection { depth -= 1 }
        move(past: ">")
        // Foundation's parser ignores all text after the outermost element.
        if depth <= 0 { break }
      } else {
        hasBegun = true
        let isCollection = isCollection
        let isEmpty = move(past: ">") == UInt8(ascii: "/")
        if isCollection {
          maximum = max(maximum, depth + 1)
          if !isEmpty { depth += 1 }
        }
        if maximum - 1 > Self.maximumLevels { return nil }
        if depth == 0 { break }
      }
    }
    return maximum - 1
  }

  /// Whether the next element name begins with "array", "dict" or "plist".
  ///
  /// Foundation's parser also compares only the beginning of the name.
  private var isCollection: Bool { isNext("array") || isNext("dict") || isNext("plist") }

  private func isNext(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { isNext($0) }
  }

  private func isNext(_ expected: some Collection<UInt8>) -> Bool {
    bytes[offset...].starts(with: expected)
  }

  /// Advances past the next `delimiter` and returns the byte before it.
  ///
  /// Returns 0 if `delimiter` is found at the starting position. If
  /// `delimiter` is not found, advances to the end and returns `nil`.
  @discardableResult
  private mutating func move(past delimiter: StaticString) -> UInt8? {
    delimiter.withUTF8Buffer { delimiter in
      let start = offset
      while offset < bytes.count {
        if bytes[offset] == delimiter[0], isNext(delimiter) {
          let before = offset > start ? bytes[offset - 1] : 0
          offset += delimiter.count
          return before
        }
        offset += 1
      }
      return nil
    }
  }
}
