import UndercroftFoundation

/// Bounds-checked access to bytes that contain big-endian integers.
struct BigEndianBytes: Sendable {
  private let data: Data
  let count: Int

  init(_ data: Data) {
    self.data = data
    count = data.count
  }

  func contains(_ offset: Int, count length: Int) -> Bool {
    offset >= 0 && length >= 0 && offset <= count && length <= count - offset
  }

  /// Calls `body` with all bytes.
  func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    data.withUnsafeBytes(body)
  }

  /// Returns the byte at an offset, or `nil` after the end.
  func byte(at offset: Int) -> UInt8? {
    guard contains(offset, count: 1) else { return nil }
    return data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in bytes[offset] }
  }

  /// Returns the unsigned integer at an offset, or `nil` after the end.
  ///
  /// - Parameters:
  ///   - offset: the offset of the most significant byte.
  ///   - width: the number of bytes, at most 8.
  func integer(at offset: Int, width: Int) -> UInt64? {
    guard width > 0, width <= 8, contains(offset, count: width) else { return nil }
    return data.withUnsafeBytes { bytes in
      switch width {
      case 1: return UInt64(bytes[offset])
      case 2:
        return UInt64(
          UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
      case 4:
        return UInt64(
          UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
      case 8:
        return UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      default:
        var result: UInt64 = 0
        for index in offset..<offset + width { result = result << 8 | UInt64(bytes[index]) }
        return result
      }
    }
  }

  /// Returns a slice, which shares the memory of all bytes, or `nil` after the end.
  func slice(at offset: Int, count length: Int) -> Data? {
    guard contains(offset, count: length) else { return nil }
    let start = data.startIndex + offset
    return data[start..<start + length]
  }

  /// Returns the string of UTF-8 bytes, or `nil` if the bytes are not valid.
  func utf8(at offset: Int, count length: Int) -> String? {
    guard contains(offset, count: length) else { return nil }
    return data.withUnsafeBytes { bytes in
      String(validating: bytes[offset..<offset + length], as: UTF8.self)
    }
  }

  /// Returns whether the bytes at an offset are those of a string in UTF-8.
  func areEqual(at offset: Int, _ text: String) -> Bool {
    let length = text.utf8.count
    guard contains(offset, count: length) else { return false }
    // A loop, because the generic `elementsEqual` dominates walks without optimization.
    return data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
      var index = offset
      for byte in text.utf8 {
        guard bytes[index] == byte else { return false }
        index += 1
      }
      return true
    }
  }

  /// Returns whether the bytes at two offsets are equal.
  func areEqual(at lhs: Int, and rhs: Int, count length: Int) -> Bool {
    guard contains(lhs, count: length), contains(rhs, count: length) else { return false }
    return data.withUnsafeBytes { bytes in
      for index in 0..<length where bytes[lhs + index] != bytes[rhs + index] { return false }
      return true
    }
  }

  /// Returns the string of big-endian UTF-16 code units, or `nil` if a surrogate is unpaired.
  ///
  /// - Parameters:
  ///   - offset: the offset of the first byte.
  ///   - units: the number of code units, whose bytes the caller has verified to exist.
  func utf16(at offset: Int, count units: Int) -> String? {
    guard units <= Int.max / 2, contains(offset, count: units * 2) else { return nil }
    return data.withUnsafeBytes { bytes in
      String(
        validating: (0..<units).lazy.map { index in
          let place = offset + index * 2
          return UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1])
        }, as: UTF16.self)
    }
  }
}
