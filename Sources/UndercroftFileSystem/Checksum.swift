/// A CRC-32C checksum (Castagnoli, RFC 3720, appendix B.4),
/// which detects every burst of up to 32 damaged bits.
package struct Checksum: Sendable {
  private var state: UInt32 = ~0

  /// Creates a checksum to which no bytes have been added.
  package init() {}

  /// The checksum of the bytes added so far.
  package var value: UInt32 { ~state }

  /// Returns the checksum of `bytes`.
  package static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    var sum = Checksum()
    sum.update(bytes)
    return sum.value
  }

  /// Returns the checksum of a sequence of bytes.
  package static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var sum = Checksum()
    if bytes.withContiguousStorageIfAvailable({ sum.update(UnsafeRawBufferPointer($0)) }) == nil {
      for byte in bytes { withUnsafeBytes(of: byte) { sum.update($0) } }
    }
    return sum.value
  }

  /// Adds `bytes` to the checksum, eight at a time (slicing-by-8).
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    Self.tables.withUnsafeBufferPointer { table in
      var crc = state
      var offset = 0
      while bytes.count - offset >= 8 {
        let word = UInt64(
          littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        let low = UInt32(truncatingIfNeeded: word) ^ crc
        let high = UInt32(truncatingIfNeeded: word >> 32)
        crc =
          table[7 * 256 + Int(low & 0xff)] ^ table[6 * 256 + Int(low >> 8 & 0xff)]
          ^ table[5 * 256 + Int(low >> 16 & 0xff)] ^ table[4 * 256 + Int(low >> 24)]
        crc ^=
          table[3 * 256 + Int(high & 0xff)] ^ table[2 * 256 + Int(high >> 8 & 0xff)]
          ^ table[256 + Int(high >> 16 & 0xff)] ^ table[Int(high >> 24)]
        offset += 8
      }
      while offset < bytes.count {
        crc = crc >> 8 ^ table[Int((crc ^ UInt32(bytes[offset])) & 0xff)]
        offset += 1
      }
      state = crc
    }
  }

  /// The eight lookup tables of the slicing-by-8 algorithm, each with 256 entries, as one array.
  ///
  /// Table n contains the effect of a byte that is followed by n further bytes.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      var crc = UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0x82f6_3b78 : crc >> 1 }
      tables[byte] = crc
    }
    for index in 256..<tables.count {
      let previous = tables[index - 256]
      tables[index] = previous >> 8 ^ tables[Int(previous & 0xff)]
    }
    return tables
  }()
}
