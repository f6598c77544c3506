import Foundation
import UndercroftFileSystem

/// A format of inputs that gets past checksums, which a fuzzer cannot guess.
///
/// The first byte of an input determines whether the rest is a complete file, or consists of parts
/// to which the target adds valid lengths and checksums.
enum Framing {
  /// Returns whether the input consists of parts to frame, and the rest of the input.
  static func split(_ input: Data) -> (isFramed: Bool, body: Data) {
    guard let first = input.first else { return (false, Data()) }
    return (first & 1 == 1, Data(input.dropFirst()))
  }

  /// Splits bytes into parts, each of which follows a length of two bytes.
  static func parts(_ body: Data) -> [Data] {
    var rest = body[...]
    var parts: [Data] = []
    while rest.count >= 2 {
      let count = Int(rest[rest.startIndex]) | Int(rest[rest.startIndex + 1]) << 8
      rest = rest.dropFirst(2)
      parts.append(Data(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    return parts
  }

  /// Returns the input with these parts, as the inverse of ``parts(_:)``.
  static func joined(_ parts: [Data]) -> Data {
    parts.reduce(into: Data([1])) { bytes, part in
      bytes += [UInt8(truncatingIfNeeded: part.count), UInt8(truncatingIfNeeded: part.count >> 8)]
      bytes += part.prefix(0xffff)
    }
  }
}

extension Data {
  /// Appends the bytes of a number in little-endian order.
  mutating func append(_ number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { self += Data($0) }
  }

  /// The CRC-32C of all bytes.
  var checksum: UInt32 { withUnsafeBytes { Checksum.of($0) } }

  /// Creates the bytes of a number in little-endian order.
  init(_ number: some FixedWidthInteger) {
    self = Swift.withUnsafeBytes(of: number.littleEndian) { Data($0) }
  }
}
