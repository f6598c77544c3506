/// Tells whether bytes are still the same; no protection against whoever wants them to seem so. (FNV-1a, 64 bits)
struct Digest {
  private var state: UInt64 = 0xcbf2_9ce4_8422_2325

  /// As SQLite keeps it.
  var value: Int64 { Int64(bitPattern: state) }

  mutating func add(_ bytes: ArraySlice<UInt8>) {
    for byte in bytes { add(byte) }
  }

  mutating func add(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x100_0000_01b3 }
}
