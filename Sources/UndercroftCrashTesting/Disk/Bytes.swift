import UndercroftFileSystem

/// Operations on ranges of bytes that call the C library.
///
/// In an unoptimised build, which tests use, loops over single bytes are a hundred times slower.
extension [UInt8] {
  /// Returns `count` zero bytes.
  static func zeros(_ count: Int) -> [UInt8] { [UInt8]().resized(to: count) }

  /// Returns a copy that is truncated, or padded with zeros, to `size` bytes.
  func resized(to size: Int) -> [UInt8] {
    withUnsafeBytes { source in
      [UInt8](unsafeUninitializedCapacity: size) { target, count in
        if let start = target.baseAddress {
          let copied = Swift.min(size, source.count)
          if copied > 0, let first = source.baseAddress { memcpy(start, first, copied) }
          memset(start + copied, 0, size - copied)
        }
        count = size
      }
    }
  }

  /// Returns a copy of the bytes in a range.
  func slice(_ range: Range<Int>) -> [UInt8] {
    withUnsafeBytes { source in
      [UInt8](unsafeUninitializedCapacity: range.count) { target, count in
        if let start = target.baseAddress, let first = source.baseAddress {
          memcpy(start, first + range.lowerBound, range.count)
        }
        count = range.count
      }
    }
  }

  /// Replaces the bytes at an offset, and extends the array if necessary, as a write extends a
  /// file.
  mutating func overwrite(_ offset: Int, with bytes: [UInt8]) {
    if count < offset + bytes.count { self = resized(to: offset + bytes.count) }
    withUnsafeMutableBytes { target in
      bytes.withUnsafeBytes { source in
        if let start = target.baseAddress, let first = source.baseAddress {
          memcpy(start + offset, first, source.count)
        }
      }
    }
  }
}
