/// The cumulative checksum of a write-ahead log. (The SQLite file format, section 4.2)
///
/// The header of a log states whether the checksum reads its words in big-endian or little-endian
/// byte order, independently of the machine.
struct LogChecksum: Equatable {
  private var first: UInt32 = 0
  private var second: UInt32 = 0
  private let isBigEndian: Bool

  init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

  /// Adds `bytes`, whose count must be a multiple of 8.
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    if isBigEndian {
      add(bytes) { UInt32(bigEndian: $0) }
    } else {
      add(bytes) { UInt32(littleEndian: $0) }
    }
  }

  /// Returns whether the checksum equals the two words that a header or frame stores, which are
  /// always in big-endian byte order.
  func equals(_ first: UInt32, _ second: UInt32) -> Bool {
    self.first == first && self.second == second
  }

  // The byte order is a parameter of the loop, so that the compiler creates one loop for each byte
  // order, without a branch for each word. The sums depend on each other, so the loop is limited by
  // the latency of two additions for every eight bytes.
  @inline(__always)
  private mutating func add(_ bytes: UnsafeRawBufferPointer, _ decode: (UInt32) -> UInt32) {
    var (first, second) = (first, second)
    var offset = 0
    let end = bytes.count & ~7
    while offset < end {
      let word = decode(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      let next = decode(bytes.loadUnaligned(fromByteOffset: offset &+ 4, as: UInt32.self))
      first = (first &+ word) &+ second
      second = (second &+ next) &+ first
      offset &+= 8
    }
    (self.first, self.second) = (first, second)
  }
}
