import Foundation

extension Data {
  /// Creates bytes from hexadecimal digits; white space is ignored.
  init(hex: String) {
    let digits = hex.filter { !$0.isWhitespace }.compactMap(\.hexDigitValue)
    self = Data(
      stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
  }

  /// The hexadecimal digits of all bytes.
  var hex: String { map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined() }

  /// The little-endian number in a range of the bytes.
  func number(_ range: Range<Int>) -> Int {
    self[startIndex + range.lowerBound..<startIndex + range.upperBound].reversed()
      .reduce(0) { $0 << 8 | Int($1) }
  }

  /// The CRC-32C of all bytes, computed bit by bit. (RFC 3720, appendix B.4)
  var castagnoli: UInt32 {
    ~reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in
        sum & 1 == 1 ? sum >> 1 ^ 0x82f6_3b78 : sum >> 1
      }
    }
  }
}
