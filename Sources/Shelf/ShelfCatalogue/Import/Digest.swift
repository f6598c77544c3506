/// A checksum that detects accidental changes of bytes, but not deliberate changes. (64-bit FNV-1a)
struct Digest {
  private var state: UInt64 = 0xcbf2_9ce4_8422_2325

  /// The checksum as a signed integer, which SQLite can store.
  var value: Int64 { Int64(bitPattern: state) }

  mutating func add(_ bytes: ArraySlice<UInt8>) {
    for byte in bytes { add(byte) }
  }

  mutating func add(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x100_0000_01b3 }
}
