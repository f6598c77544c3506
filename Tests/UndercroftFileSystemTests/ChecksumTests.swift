import Foundation
import Testing
import UndercroftFileSystem

@Suite struct ChecksumTests {
  /// The test vectors of RFC 3720, appendix B.4, and the common check value of CRC-32C.
  @Test(
    arguments: [
      ([UInt8](repeating: 0, count: 32), 0x8a91_36aa),
      ([UInt8](repeating: 255, count: 32), 0x62a8_ab43),
      (Array(0..<32), 0x46dd_794e), (Array((0..<32).reversed()), 0x113f_db5c),
      (Array("123456789".utf8), 0xe306_9283), ([], 0),
      (
        [
          0x01, 0xc0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x14, 0, 0, 0, 0, 0, 0x04, 0, 0, 0,
          0, 0x14,
          0, 0, 0, 0x18, 0x28, 0, 0, 0, 0, 0, 0, 0, 0x02, 0, 0, 0, 0, 0, 0, 0,
        ], 0xd996_3a56
      ),
    ] as [([UInt8], UInt32)])
  func `CRC-32C checksums equal the published test vectors`(bytes: [UInt8], sum: UInt32) {
    #expect(Checksum.of(bytes) == sum)
    #expect(Checksum.of(Data(bytes)) == sum)
    #expect(Checksum.of(AnySequence(bytes)) == sum)
  }

  @Test func `a checksum computed in chunks equals the checksum of all bytes`() {
    let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let whole = Checksum.of(bytes)
    for length in [1, 3, 7, 8, 9, 64, 999] {
      var sum = Checksum()
      for start in stride(from: 0, to: bytes.count, by: length) {
        bytes[start..<min(start + length, bytes.count)].withUnsafeBytes { sum.update($0) }
      }
      #expect(sum.value == whole)
    }
  }

  @Test func `each single flipped bit changes the checksum`() {
    let bytes = Array("the quick brown fox reads".utf8)
    let whole = Checksum.of(bytes)
    for bit in 0..<bytes.count * 8 {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(Checksum.of(damaged) != whole)
    }
  }
}
