import UndercroftFileSystem

/// Work on whole ranges of bytes, by the C library: an unoptimised build, in which tests run, is a
/// hundred times slower at single ones.
extension [UInt8] {
  /// Returns so many zeros.
  static func zeros(_ count: Int) -> [UInt8] { [UInt8]().resized(to: count) }

  /// Returns a copy that is cut, or filled with zeros.
  func resized(to size: Int) -> [UInt8] {
    withUnsafeBytes { source in
      [UInt8](unsafeUninitializedCapacity: size) { target, count in
        if let start = target.baseAddress {
          let kept = Swift.min(size, source.count)
          if kept > 0, let first = source.baseAddress { memcpy(start, first, kept) }
          memset(start + kept, 0, size - kept)
        }
        count = size
      }
    }
  }

  /// Returns a copy of a range.
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

  /// Puts other bytes in place from an offset on, growing as a file does.
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
