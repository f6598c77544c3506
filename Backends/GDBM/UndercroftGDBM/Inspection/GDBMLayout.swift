/// The sizes and the byte order of the numbers in a GDBM file, which differ between platforms.
///
/// All multi-byte numbers have the byte order of the computer that wrote the file. A file offset
/// has 4 or 8 bytes, and is aligned to its size.
struct GDBMLayout: Equatable {
  /// The size of a file offset in bytes: 4 or 8.
  let offsetSize: Int
  /// Whether the most significant byte of a number is its first byte.
  let isBigEndian: Bool
  /// Whether the header contains the number of the last synchronisation. ("numsync")
  let isExtended: Bool

  /// Returns the layouts that a file with the given first four bytes can have, the likely ones
  /// first.
  ///
  /// The magic number of the original format does not determine the size of file offsets.
  static func candidates(for magic: UnsafeRawBufferPointer) -> [GDBMLayout] {
    guard magic.count >= 4 else { return [] }
    let number = UInt32(littleEndian: magic.loadUnaligned(as: UInt32.self))
    return [(number, false), (number.byteSwapped, true)].flatMap { number, isBigEndian in
      sizes(of: number).map {
        GDBMLayout(offsetSize: $0, isBigEndian: isBigEndian, isExtended: number >= 0x1357_9ad0)
      }
    }
  }

  private static func sizes(of magic: UInt32) -> [Int] {
    switch magic {
    case 0x1357_9acd, 0x1357_9ad0: [4]
    case 0x1357_9acf, 0x1357_9ad1: [8]
    case 0x1357_9ace: [8, 4]
    default: []
    }
  }

  /// The offset of the field of a bucket that contains the number of significant hash bits.
  ///
  /// The field follows the number of free blocks and six descriptions of free blocks.
  var bucketBitsOffset: Int { 13 * offsetSize }
  /// The offset of the first element of a bucket.
  var elementsOffset: Int { bucketBitsOffset + 8 }
  /// The size of an element of a bucket: the hash of the key, the first four bytes of the key, the
  /// offset of the record, and the sizes of the key and the value.
  var elementSize: Int { 16 + offsetSize }

  /// Returns the signed 32-bit number at `position`, or `nil` if the bytes end before it.
  func number(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Int? {
    guard position >= 0, bytes.count - position >= 4 else { return nil }
    let number = bytes.loadUnaligned(fromByteOffset: position, as: Int32.self)
    return Int(isBigEndian ? Int32(bigEndian: number) : Int32(littleEndian: number))
  }

  /// Returns the file offset at `position`, or `nil` if the bytes end before it.
  func offset(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Int? {
    guard offsetSize == 8 else { return number(bytes, at: position) }
    guard position >= 0, bytes.count - position >= 8 else { return nil }
    let number = bytes.loadUnaligned(fromByteOffset: position, as: Int64.self)
    return Int(exactly: isBigEndian ? Int64(bigEndian: number) : Int64(littleEndian: number))
  }
}
