/// The hash function of GDBM, whose result has 31 bits.
enum GDBMHash {
  /// Returns the hashes that a key can have.
  ///
  /// GDBM adds the bytes as values of the C type `char`, which is signed on some platforms. Only
  /// for keys with bytes above 127, the two hashes differ.
  static func values(of key: UnsafeRawBufferPointer) -> [Int] {
    key.contains(where: { $0 > 127 }) ? [signed(key), unsigned(key)] : [signed(key)]
  }

  /// Returns whether a key can have the given hash.
  static func isOne(_ hash: Int, of key: UnsafeRawBufferPointer) -> Bool {
    signed(key) == hash || unsigned(key) == hash
  }

  private static func signed(_ key: UnsafeRawBufferPointer) -> Int {
    value(of: key) { UInt32(bitPattern: Int32(Int8(bitPattern: $0))) }
  }

  private static func unsigned(_ key: UnsafeRawBufferPointer) -> Int {
    value(of: key) { UInt32($0) }
  }

  private static func value(
    of key: UnsafeRawBufferPointer, _ widen: (UInt8) -> UInt32
  ) -> Int {
    var value = 0x238f_13af &* UInt32(truncatingIfNeeded: key.count)
    for (index, byte) in key.enumerated() {
      value = (value &+ widen(byte) << UInt32(index &* 5 % 24)) & 0x7fff_ffff
    }
    return Int((1_103_515_243 &* value &+ 12_345) & 0x7fff_ffff)
  }
}
