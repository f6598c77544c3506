import Foundation

/// A binary property list that a test assembles object by object, also a damaged one.
struct BinaryFile {
  var objects: [[UInt8]]
  var root: UInt64 = 0
  var offsetWidth = 4
  var referenceWidth = 1
  /// The number of objects in the trailer, if it is not the number of `objects`.
  var objectCount: UInt64?
  /// The offset of the table in the trailer, if it is not the true one.
  var tableOffset: UInt64?
  /// The offsets of objects, if they are not the true ones.
  var offsets: [Int: UInt64] = [:]

  init(_ objects: [UInt8]...) { self.objects = objects }

  init(objects: [[UInt8]]) { self.objects = objects }

  var data: Data {
    var bytes = Array("bplist00".utf8)
    var table: [UInt8] = []
    for (number, object) in objects.enumerated() {
      table += Self.bigEndian(offsets[number] ?? UInt64(bytes.count), width: offsetWidth)
      bytes += object
    }
    let start = tableOffset ?? UInt64(bytes.count)
    bytes += table
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetWidth), UInt8(referenceWidth)]
    for number in [objectCount ?? UInt64(objects.count), root, start] {
      bytes += Self.bigEndian(number, width: 8)
    }
    return Data(bytes)
  }

  static func bigEndian(_ number: UInt64, width: Int) -> [UInt8] {
    (0..<width).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
  }
}
