/// Measures a property list in XML, whose reader in Foundation calls itself at every level, without any bound.
///
/// It splits the text exactly as that reader does, so that nothing which one takes for a comment is an element for the other.
struct XMLPropertyListShape {
  /// More levels are not read.
  private static let mostLevels = Nesting.deepestRead + 1

  private let bytes: UnsafeRawBufferPointer
  private var place = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    if isNext([0xef, 0xbb, 0xbf]) { place = 3 }
  }

  /// Whether the reader takes the text for XML, and not for the old form.
  var isXML: Bool {
    bytes[place...].first { !" \t\n\r".utf8.contains($0) } == UInt8(ascii: "<")
  }

  /// Returns the number of levels, or `nil` if there are more than can be read.
  mutating func depth() -> Int? {
    var depth = 0
    // The outermost element is "plist".
    var most = 1
    var hasBegun = false
    while move(past: "<") != nil {
      if isNext("?") {
        // Before the first element the reader looks for the end behind the mark, later at the mark itself.
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
        // Nothing behind the end of the outermost element is read.
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

  /// The reader compares the beginning of a name alone.
  private var isCollection: Bool { isNext("array") || isNext("dict") || isNext("plist") }

  private func isNext(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { isNext($0) }
  }

  private func isNext(_ wanted: some Collection<UInt8>) -> Bool {
    bytes[place...].starts(with: wanted)
  }

  /// Moves behind the next `mark` and returns the byte before the mark, 0 if there is none; moves to the end without a mark.
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
