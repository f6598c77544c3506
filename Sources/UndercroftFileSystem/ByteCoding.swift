package import UndercroftFoundation

/// A buffer that stores integers in little-endian byte order, and data and text as plain bytes.
package struct ByteWriter {
  /// The bytes written so far.
  package private(set) var bytes: [UInt8] = []

  /// Creates an empty buffer.
  package init() {}

  /// Reserves space for `count` more bytes.
  package mutating func reserve(_ count: Int) { bytes.reserveCapacity(bytes.count + count) }

  /// Appends an integer in little-endian byte order.
  package mutating func put<Number: FixedWidthInteger>(_ number: Number) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Appends the bytes of `data`.
  package mutating func put(_ data: Data) { data.withUnsafeBytes { bytes.append(contentsOf: $0) } }

  /// Appends the UTF-8 bytes of `text`.
  package mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Replaces the four bytes at `offset` with `number` in little-endian byte order.
  package mutating func overwrite(_ number: UInt32, at offset: Int) {
    withUnsafeBytes(of: number.littleEndian) {
      bytes.replaceSubrange(offset..<offset + 4, with: $0)
    }
  }

  /// Removes all bytes, but not the allocated space.
  package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }
}

/// A reader of the format that ``ByteWriter`` writes; a read returns `nil` if too few bytes remain.
package struct ByteReader {
  private let bytes: UnsafeRawBufferPointer
  /// The offset of the next byte to read.
  package private(set) var offset: Int

  /// Creates a reader of `bytes` that begins at `offset`; `bytes` must outlive the reader.
  package init(_ bytes: UnsafeRawBufferPointer, at offset: Int = 0) {
    self.bytes = bytes
    self.offset = offset
  }

  /// Whether all bytes have been read.
  package var isAtEnd: Bool { offset >= bytes.count }

  /// Returns the next integer, which is stored in little-endian
  /// byte order, or `nil` if too few bytes remain.
  package mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
    guard let slice = take(MemoryLayout<Number>.size) else { return nil }
    return Number(littleEndian: slice.loadUnaligned(as: Number.self))
  }

  // The generic function looks up its type at each call, which took about a quarter of the time in
  // which a large store of settings was opened. Most numbers have these types.

  /// Returns the next 32-bit integer, or `nil` if too few bytes remain.
  package mutating func number(_ type: UInt32.Type) -> UInt32? {
    take(4).map { UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self)) }
  }

  /// Returns the next 64-bit integer, or `nil` if too few bytes remain.
  package mutating func number(_ type: UInt64.Type) -> UInt64? {
    take(8).map { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
  }

  /// Returns the next `count` bytes, or `nil` if fewer remain.
  package mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
    guard count >= 0, offset >= 0, bytes.count - offset >= count else { return nil }
    defer { offset += count }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
  }
}
