/// CRC-32C (Castagnoli), as in iSCSI (RFC 3720, appendix B.4): finds every burst of up to 32 damaged bits.
package struct Checksum: Sendable {
  private var state: UInt32 = ~0

  /// Begins a sum.
  package init() {}

  /// The sum so far.
  package var value: UInt32 { ~state }

  /// Returns the sum of `bytes`.
  package static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    var sum = Checksum()
    sum.update(bytes)
    return sum.value
  }

  /// Returns the sum of any bytes.
  package static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var sum = Checksum()
    if bytes.withContiguousStorageIfAvailable({ sum.update(UnsafeRawBufferPointer($0)) }) == nil {
      for byte in bytes { withUnsafeBytes(of: byte) { sum.update($0) } }
    }
    return sum.value
  }

  /// Adds `bytes`, eight at a time.
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

  /// Eight tables of 256: the n-th is the effect of a byte that n further bytes follow.
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
