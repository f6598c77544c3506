import Foundation
import UndercroftInspection

/// The digests of values and rows, by which they are compared without storing them.
///
/// A digest is the same only in this process.
enum RowDigest {
  static func of(_ row: [InspectedValue]) -> Int {
    var hasher = Hasher()
    for value in row {
      switch value {
      case .null: hasher.combine(0 as UInt8)
      case .integer(let number):
        hasher.combine(1 as UInt8)
        hasher.combine(number)
      case .real(let number):
        hasher.combine(2 as UInt8)
        hasher.combine(number.bitPattern)
      case .text(var text):
        hasher.combine(3 as UInt8)
        text.withUTF8 { combine(UnsafeRawBufferPointer($0), &hasher) }
      case .bytes(let bytes):
        hasher.combine(4 as UInt8)
        bytes.withUnsafeBytes { combine($0, &hasher) }
      }
    }
    return hasher.finalize()
  }

  static func of(_ bytes: Data) -> Int { of([.bytes(bytes)]) }

  private static func combine(_ bytes: UnsafeRawBufferPointer, _ hasher: inout Hasher) {
    hasher.combine(bytes.count)
    hasher.combine(bytes: bytes)
  }
}
