/// The ends of the parts of the text of a property list that are not JSON.
///
/// The forms are exactly those that `PropertyListText` writes, so that other text is not accepted.
enum PropertyListToken {
  /// The text in place of omitted elements.
  static let omission = Array("…".utf8)

  private static let notes = ["(object ", "(an object, ", "(damaged: "].map { Array($0.utf8) }
  private static let keyParts = Array("0123456789+-.:TZe".utf8)

  /// Returns the offset of the bracket or brace after the class and the number of an archived
  /// object, such as `NSArray #3 [`, or `nil` if no such label begins at an offset.
  static func labelEnd(from offset: Int, in bytes: [UInt8]) -> Int? {
    let name = end(from: offset, in: bytes, while: isClassPart)
    guard name > offset, bytes[name...].starts(with: " #".utf8) else { return nil }
    let number = end(from: name + 2, in: bytes, while: ASCIIClass.isDigit)
    guard number > name + 2, number + 1 < bytes.count, bytes[number] == UInt8(ascii: " "),
      "[{".utf8.contains(bytes[number + 1])
    else { return nil }
    return number + 1
  }

  /// Returns the end of a sentence in parentheses about an object, or `nil` if no such sentence
  /// begins at an offset.
  static func noteEnd(from offset: Int, in bytes: [UInt8]) -> Int? {
    guard notes.contains(where: { bytes[offset...].starts(with: $0) }) else { return nil }
    // The sentence contains commas, and the rest of the line is only the comma after it.
    var end = end(from: offset, in: bytes) { $0 != 0x0a }
    if bytes[end - 1] == UInt8(ascii: ",") { end -= 1 }
    return bytes[end - 1] == UInt8(ascii: ")") ? end : nil
  }

  /// Returns the end of a key that is a number or a date, or `nil` if no such key begins at an
  /// offset.
  static func keyEnd(from offset: Int, in bytes: [UInt8]) -> Int? {
    guard ASCIIClass.isDigit(bytes[offset]) || bytes[offset] == UInt8(ascii: "-") else {
      return nil
    }
    let end = end(from: offset, in: bytes, while: keyParts.contains)
    // A date contains colons, so that the last one follows the key.
    return bytes[end - 1] == UInt8(ascii: ":") ? end - 1 : nil
  }

  private static func isClassPart(_ byte: UInt8) -> Bool {
    ASCIIClass.isURLSafe(byte) || byte >= 0x80 || ".$<>".utf8.contains(byte)
  }

  private static func end(
    from offset: Int, in bytes: [UInt8], while condition: (UInt8) -> Bool
  ) -> Int {
    bytes[offset...].firstIndex { !condition($0) } ?? bytes.count
  }
}
