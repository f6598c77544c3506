/// Measures a property list in XML, because Foundation's
/// parser recurses at every level without a limit.
///
/// The text is split into tags exactly as in that parser, so
/// that both agree on what is a comment and what is an element.
struct XMLPropertyListShape {
  /// Measuring stops above this number of levels.
  private static let mostLevels = Nesting.deepestRead + 1

  private let bytes: UnsafeRawBufferPointer
  private var place = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    if isNext([0xef, 0xbb, 0xbf]) { place = 3 }
  }

  /// Whether Foundation's parser treats the text as XML and not as an old-style property list.
  var isXML: Bool {
    bytes[place...].first { !" \t\n\r".utf8.contains($0) } == UInt8(ascii: "<")
  }

  /// Returns the number of levels, or `nil` if there are more than can be loaded.
  mutating func depth() -> Int? {
    var depth = 0
    // The outermost element is "plist", which is not counted.
    var most = 1
    var hasBegun = false
    while move(past: "<") != nil {
      if isNext("?") {
        // Foundation's parser searches for the end after the `?`
        // before the first element, and from the `?` itself later.
        if !hasBegun { place += 1 }
        move(past: "?>")
      } else if isNext("!--") {
        place += 3
        move(past: "-->")
      } else if isNext("![CDATA[") {
        place += 8
        move(past: "]]>")
      } else if isNext("!") {
        move(past: ">")
      } else if isNext("/") {
        place += 1
        if isCollection { depth -= 1 }
        move(past: ">")
        // Foundation's parser ignores everything after the outermost element.
        if depth <= 0 { break }
      } else {
        hasBegun = true
        let isCollection = isCollection
        let isEmpty = move(past: ">") == UInt8(ascii: "/")
        if isCollection {
          most = max(most, depth + 1)
          if !isEmpty { depth += 1 }
        }
        if most - 1 > Self.mostLevels { return nil }
        if depth == 0 { break }
      }
    }
    return most - 1
  }

  /// Whether the next name begins like that of a collection;
  /// Foundation's parser compares only the beginning.
  private var isCollection: Bool { isNext("array") || isNext("dict") || isNext("plist") }

  private func isNext(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { isNext($0) }
  }

  private func isNext(_ wanted: some Collection<UInt8>) -> Bool {
    bytes[place...].starts(with: wanted)
  }

  /// Advances past the next `mark` and returns the byte before it.
  ///
  /// Returns 0 if `mark` is found at the starting position. If
  /// `mark` is not found, advances to the end and returns `nil`.
  @discardableResult
  private mutating func move(past mark: StaticString) -> UInt8? {
    mark.withUTF8Buffer { mark in
      let start = place
      while place < bytes.count {
        if bytes[place] == mark[0], isNext(mark) {
          let before = place > start ? bytes[place - 1] : 0
          place += mark.count
          return before
        }
        place += 1
      }
      return nil
    }
  }
}
