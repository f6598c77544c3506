import UndercroftCore
import UndercroftFoundation

/// The header of a write-ahead log. (The SQLite file format, section 4.1)
struct LogHeader {
  /// The size of the header in bytes.
  static let byteCount = 32
  /// The size of the header that precedes the page in each frame, in bytes.
  static let frameHeaderByteCount = 24

  /// The size of the pages in bytes: a power of two from 512 to 65,536.
  let pageSize: Int
  /// Two numbers that change whenever the log restarts.
  ///
  /// A frame with other numbers remains from an earlier use of the file.
  let salts: UInt64
  /// The checksum of the header, with which the checksum of the first frame begins.
  let checksum: LogChecksum

  /// Parses the first bytes of the log at `path`, or returns `nil` if they are not a valid header.
  ///
  /// SQLite treats a log with a damaged header as empty, because a crash can interrupt the write of
  /// the first header. (`walIndexRecover`)
  ///
  /// - Throws: ``StorageError/Code/unavailable`` if the header is valid but has an unknown version.
  init?(_ bytes: Data, of path: String) throws(StorageError) {
    guard bytes.count == Self.byteCount else { return nil }
    let words = bytes.withUnsafeBytes { bytes in
      stride(from: 0, to: Self.byteCount, by: 4).map { bytes.bigEndianWord(at: $0) }
    }
    // The lowest bit of the magic number is the byte order of the checksum.
    guard words[0] & ~1 == 0x377f_0682, words[2].nonzeroBitCount == 1,
      (512...65_536).contains(words[2])
    else { return nil }
    var checksum = LogChecksum(isBigEndian: words[0] & 1 == 1)
    bytes.withUnsafeBytes { checksum.add(UnsafeRawBufferPointer(rebasing: $0[..<24])) }
    guard checksum.equals(words[6], words[7]) else { return nil }
    guard words[1] == 3_007_000 else {
      throw StorageError(
        .unavailable,
        """
        cannot read \(quoted(path)): the write-ahead log has the unknown format version \(words[1])
        """,
        suggestion: "inspect the database with a library that supports this version",
        backend: SQLiteBackend.name)
    }
    pageSize = Int(words[2])
    salts = UInt64(words[4]) << 32 | UInt64(words[5])
    self.checksum = checksum
  }

  /// The size of a frame in bytes: the header of the frame and one page.
  var frameByteCount: Int { Self.frameHeaderByteCount + pageSize }

  /// Returns the offset in the log of the frame with the given index, counted from 0.
  ///
  /// The result does not overflow: the largest index is 2^32 - 1, and the largest frame has 65,560
  /// bytes.
  func offset(ofFrame index: UInt32) -> Int { Self.byteCount + Int(index) * frameByteCount }
}

extension UnsafeRawBufferPointer {
  /// Returns the four bytes at `offset` as a number in big-endian byte order.
  func bigEndianWord(at offset: Int) -> UInt32 {
    UInt32(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }
}
