package import UndercroftFoundation

/// The keyed hash function SipHash-2-4 (Aumasson and Bernstein, 2012).
///
/// `Hasher` is not used, because its algorithm may change and its key is known under
/// `SWIFT_DETERMINISTIC_HASHING`.
package struct SipHash: Sendable {
  private let key0: UInt64
  private let key1: UInt64

  /// Creates a hash function with the two halves of a 128-bit key, in little-endian byte order.
  package init(_ key0: UInt64, _ key1: UInt64) {
    self.key0 = key0
    self.key1 = key1
  }

  /// Returns the hash of bytes.
  package func hash(_ bytes: some Collection<UInt8>) -> UInt64 {
    var state = State(key0, key1)
    var word: UInt64 = 0
    var count: UInt64 = 0
    for byte in bytes {
      word |= UInt64(byte) << (8 * (count & 7))
      count &+= 1
      if count & 7 == 0 {
        state.absorb(word)
        word = 0
      }
    }
    // The last word contains the remaining bytes and the low byte of the length.
    state.absorb(word | count << 56)
    return state.finished()
  }

  /// Returns the hash of bytes, which are read as a buffer, because this is faster for large data.
  package func hash(_ bytes: Data) -> UInt64 { bytes.withUnsafeBytes { hash($0) } }

  private struct State {
    var v0, v1, v2, v3: UInt64

    init(_ key0: UInt64, _ key1: UInt64) {
      v0 = key0 ^ 0x736f_6d65_7073_6575
      v1 = key1 ^ 0x646f_7261_6e64_6f6d
      v2 = key0 ^ 0x6c79_6765_6e65_7261
      v3 = key1 ^ 0x7465_6462_7974_6573
    }

    mutating func absorb(_ word: UInt64) {
      v3 ^= word
      round()
      round()
      v0 ^= word
    }

    mutating func finished() -> UInt64 {
      v2 ^= 0xff
      for _ in 0..<4 { round() }
      return v0 ^ v1 ^ v2 ^ v3
    }

    private mutating func round() {
      v0 &+= v1
      v1 = Self.rotated(v1, 13) ^ v0
      v0 = Self.rotated(v0, 32)
      v2 &+= v3
      v3 = Self.rotated(v3, 16) ^ v2
      v0 &+= v3
      v3 = Self.rotated(v3, 21) ^ v0
      v2 &+= v1
      v1 = Self.rotated(v1, 17) ^ v2
      v2 = Self.rotated(v2, 32)
    }

    private static func rotated(_ word: UInt64, _ bits: UInt64) -> UInt64 {
      word << bits | word >> (64 - bits)
    }
  }
}

extension SipHash: CustomReflectable {
  /// A mirror without children, so that a log or a failed test does not print the key.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
