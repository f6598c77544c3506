/// The place of a key in the text of a property list, with its first bytes for comparisons.
struct KeyText {
  /// The place of a key that is not a short ASCII text.
  static let other = KeyText()

  let offset: Int
  /// The number of bytes, or -1 for ``other``.
  let length: Int
  /// The first eight bytes as a number.
  private let prefix: UInt64

  private init() { (offset, length, prefix) = (0, -1, 0) }

  /// Creates the place of a text that the caller has verified to be inside of `bytes`.
  init(offset: Int, length: Int, in bytes: UnsafeRawBufferPointer) {
    self.offset = offset
    self.length = length
    if length >= 8 {
      prefix = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    } else {
      var prefix: UInt64 = 0
      for index in offset..<offset + length { prefix = prefix << 8 | UInt64(bytes[index]) }
      self.prefix = prefix
    }
  }

  /// Returns whether two places have the same text.
  ///
  /// - Parameters:
  ///   - other: another place.
  ///   - bytes: the bytes around the text at this place.
  ///   - otherBytes: the bytes around the text at the other place.
  func hasSameText(
    as other: KeyText, in bytes: UnsafeRawBufferPointer, and otherBytes: UnsafeRawBufferPointer
  ) -> Bool {
    guard length == other.length, prefix == other.prefix else { return false }
    var index = 8
    while index < length {
      guard bytes[offset + index] == otherBytes[other.offset + index] else { return false }
      index += 1
    }
    return true
  }
}
