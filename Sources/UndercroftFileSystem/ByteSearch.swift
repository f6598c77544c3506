import CFileSystem

/// The search for bytes in other bytes.
package enum ByteSearch {
  /// Returns the offset of the first occurrence of `pattern`, or `nil` if there is none. (`memmem`)
  package static func offset(
    of pattern: UnsafeRawBufferPointer, in bytes: UnsafeRawBufferPointer
  ) -> Int? {
    guard let first = pattern.baseAddress, !pattern.isEmpty else { return 0 }
    guard let start = bytes.baseAddress,
      let found = memmem(
        start, numericCast(bytes.count), first, numericCast(pattern.count))
    else { return nil }
    return UnsafeRawPointer(found) - start
  }
}
