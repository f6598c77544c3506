/// The bytes of a text, in which ASCII patterns are searched.
struct ASCIIText {
  /// The number of bytes after ``searchedCount`` that belong to a pattern that begins before it.
  ///
  /// No pattern is longer, except for a password in a URL or a token of HTTP of this size.
  static let contextCount = 16_384

  let bytes: [UInt8]
  /// The number of bytes at the beginning in which a pattern may begin.
  let searchedCount: Int

  /// Creates a text, or the beginning of a text.
  ///
  /// - Parameters:
  ///   - bytes: the bytes of the whole text.
  ///   - count: the number of bytes in which patterns may begin, or `nil` for all.
  init(_ bytes: some Collection<UInt8>, searching count: Int? = nil) {
    guard let count, count < bytes.count else {
      self.bytes = Array(bytes)
      searchedCount = self.bytes.count
      return
    }
    self.bytes = Array(bytes.prefix(count + Self.contextCount))
    searchedCount = count
  }

  /// Returns the offset of `pattern` at or after `start`, or `nil` if there is none.
  ///
  /// The pattern is not empty.
  func offset(of pattern: StaticString, from start: Int = 0) -> Int? {
    let first = pattern.utf8Start.pointee
    var offset = max(0, start)
    while offset < bytes.count {
      if bytes[offset] == first, has(pattern, at: offset) { return offset }
      offset += 1
    }
    return nil
  }

  /// Returns whether `pattern` begins at an offset.
  ///
  /// - Parameters:
  ///   - pattern: the ASCII characters, in lowercase if `ignoringCase` is `true`.
  ///   - offset: the offset of the first byte.
  ///   - ignoringCase: whether uppercase letters of the text match too.
  func has(_ pattern: StaticString, at offset: Int, ignoringCase: Bool = false) -> Bool {
    pattern.withUTF8Buffer { pattern in
      guard offset >= 0, bytes.count - offset >= pattern.count else { return false }
      for index in pattern.indices {
        let byte = bytes[offset + index]
        let isUppercase = (0x41...0x5a).contains(byte)
        if (ignoringCase && isUppercase ? byte | 0x20 : byte) != pattern[index] { return false }
      }
      return true
    }
  }

  /// Returns the end of the bytes from `start` that satisfy a condition.
  ///
  /// - Parameters:
  ///   - start: the offset of the first byte.
  ///   - limit: the maximum number of bytes that are examined, for a caller that examines bytes
  ///     more than once.
  ///   - condition: the condition.
  func end(from start: Int, limit: Int = .max, while condition: (UInt8) -> Bool) -> Int {
    guard start < bytes.count else { return start }
    let last = start + min(limit, bytes.count - start)
    var end = start
    while end < last, condition(bytes[end]) { end += 1 }
    return end
  }

  /// Returns a range with the rest of the words at its ends.
  ///
  /// Words end at spaces, quotation marks, brackets and the separators of lists and queries, and
  /// contain all other punctuation.
  func words(around range: Range<Int>) -> Range<Int> {
    var start = range.lowerBound
    while start > 0, Self.isWordPart(bytes[start - 1]) { start -= 1 }
    return start..<end(from: range.upperBound, while: Self.isWordPart)
  }

  private static func isWordPart(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7f && !"\"'`<>()[]{},;&=|".utf8.contains(byte)
  }

  /// Returns a part of the text as a string.
  func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}
