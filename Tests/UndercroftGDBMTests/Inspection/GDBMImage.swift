import Foundation

/// The bytes of a GDBM file with one bucket, in the layout of any platform.
///
/// The image is written from the description of the format, independently of the reader, and
/// `gdbmtool` can read the layout of its own platform.
struct GDBMImage {
  let magic: UInt32
  let offsetSize: Int
  let isBigEndian: Bool
  private(set) var bytes = Data()
  /// The size of the header, the directory and the bucket, which follow each other.
  private let size = 1_024
  private var bucket: Int { 2 * size }

  /// Creates the file with the given entries.
  init(
    magic: UInt32, offsetSize: Int, isBigEndian: Bool, _ entries: [(key: [UInt8], value: [UInt8])]
  ) {
    self.magic = magic
    self.offsetSize = offsetSize
    self.isBigEndian = isBigEndian
    bytes = Data(count: 3 * size)
    let elements = 13 * offsetSize + 8
    let count = (size - elements) / (16 + offsetSize)
    putHeader(elementCount: count)
    for index in 0..<size / offsetSize { putOffset(bucket, at: size + index * offsetSize) }
    put(Int32(entries.count), at: bucket + 13 * offsetSize + 4)
    for index in 0..<count { put(-1, at: bucket + elements + index * (16 + offsetSize)) }
    for (key, value) in entries {
      let hash = Self.hash(of: key)
      var index = hash % count
      var position = bucket + elements + index * (16 + offsetSize)
      while bytes[position..<position + 4].contains(where: { $0 != 255 }) {
        index = (index + 1) % count
        position = bucket + elements + index * (16 + offsetSize)
      }
      put(Int32(hash), at: position)
      for (offset, byte) in key.prefix(4).enumerated() { bytes[position + 4 + offset] = byte }
      putOffset(bytes.count, at: position + 8)
      put(Int32(key.count), at: position + 8 + offsetSize)
      put(Int32(value.count), at: position + 12 + offsetSize)
      bytes.append(contentsOf: key + value)
    }
    bytes.append(Data(count: size - bytes.count % size))
    putOffset(bytes.count, at: 24 + offsetSize)
  }

  private mutating func putHeader(elementCount: Int) {
    put(Int32(bitPattern: magic), at: 0)
    put(Int32(size), at: 4)
    putOffset(size, at: 8)
    put(Int32(size), at: 8 + offsetSize)
    put(offsetSize == 8 ? 7 : 8, at: 12 + offsetSize)
    put(Int32(size), at: 16 + offsetSize)
    put(Int32(elementCount), at: 20 + offsetSize)
    // The number of free blocks that the header can describe.
    put(Int32((size - 24 - 4 * offsetSize) / (2 * offsetSize)), at: 24 + 2 * offsetSize)
  }

  private mutating func put(_ number: Int32, at position: Int) {
    let bytes = withUnsafeBytes(of: isBigEndian ? number.bigEndian : number.littleEndian) {
      Array($0)
    }
    self.bytes.replaceSubrange(position..<position + 4, with: bytes)
  }

  private mutating func putOffset(_ offset: Int, at position: Int) {
    guard offsetSize == 8 else { return put(Int32(offset), at: position) }
    put(0, at: isBigEndian ? position : position + 4)
    put(Int32(offset), at: isBigEndian ? position + 4 : position)
  }

  /// Returns the hash of a key whose bytes are below 128.
  private static func hash(of key: [UInt8]) -> Int {
    var value = (0x238f_13af * key.count) & 0xffff_ffff
    for (index, byte) in key.enumerated() {
      value = (value + Int(byte) << (index * 5 % 24)) & 0x7fff_ffff
    }
    return (1_103_515_243 * value + 12_345) & 0x7fff_ffff
  }
}
