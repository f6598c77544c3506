/// A page of the b-tree of a table. (SQLite file format, section 1.6)
///
/// No number in the page is trusted: the functions return `nil` if a number is not valid.
struct TablePage {
  enum Kind: UInt8 {
    case interior = 5
    case leaf = 13
  }

  /// The row of a leaf.
  struct Cell {
    let rowID: Int64
    /// The part of the row that is in the page.
    let payload: UnsafeRawBufferPointer
    /// The number of bytes of the row after ``payload``.
    let overflowSize: Int
    /// The first page with these bytes, or 0 if there are none.
    let overflowPage: UInt32
  }

  /// The bytes of the page without the reserved bytes at its end.
  private let bytes: UnsafeRawBufferPointer
  let kind: Kind
  let cellCount: Int

  /// Returns `nil` if the bytes are not a page of a table.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 480, let kind = Kind(rawValue: bytes[0]) else { return nil }
    self.bytes = bytes
    self.kind = kind
    cellCount = Int(bytes[3]) << 8 | Int(bytes[4])
    guard Self.headerSize(kind) + 2 * cellCount <= bytes.count else { return nil }
  }

  private static func headerSize(_ kind: Kind) -> Int { kind == .interior ? 12 : 8 }

  private func offset(ofCell index: Int) -> Int {
    let position = Self.headerSize(kind) + 2 * index
    return Int(bytes[position]) << 8 | Int(bytes[position + 1])
  }

  /// The numbers of the pages below an interior page, in the order of their rows.
  var children: [UInt32]? {
    var children: [UInt32] = []
    children.reserveCapacity(cellCount + 1)
    for index in 0..<cellCount {
      guard let child = pageNumber(at: offset(ofCell: index)) else { return nil }
      children.append(child)
    }
    guard let last = pageNumber(at: 8) else { return nil }
    return children + [last]
  }

  /// Returns the size of the row of a cell, including the part that is not in the page.
  func payloadSize(ofCell index: Int) -> Int? {
    var offset = offset(ofCell: index)
    return payloadSize(at: &offset)
  }

  /// Returns the rowid of the row of a cell.
  func rowID(ofCell index: Int) -> Int64? {
    var offset = offset(ofCell: index)
    guard varint(at: &offset) != nil else { return nil }
    return varint(at: &offset).map { Int64(bitPattern: $0) }
  }

  func cell(_ index: Int) -> Cell? {
    var offset = offset(ofCell: index)
    guard let size = payloadSize(at: &offset), let rowID = varint(at: &offset) else { return nil }
    let local = Self.localSize(of: size, usableSize: bytes.count)
    guard local <= bytes.count - offset else { return nil }
    let payload = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + local])
    var overflowPage: UInt32 = 0
    if local < size {
      guard let page = pageNumber(at: offset + local) else { return nil }
      overflowPage = page
    }
    return Cell(
      rowID: Int64(bitPattern: rowID), payload: payload, overflowSize: size - local,
      overflowPage: overflowPage)
  }

  /// Returns `nil` also for a size that SQLite does not support.
  private func payloadSize(at offset: inout Int) -> Int? {
    guard let size = varint(at: &offset), size <= Int32.max else { return nil }
    return Int(size)
  }

  /// The size of the largest row that is stored without overflow pages.
  static func maximumLocalSize(usableSize: Int) -> Int { usableSize - 35 }

  /// Returns the number of bytes of a row that are in the page of its cell.
  static func localSize(of size: Int, usableSize: Int) -> Int {
    let maximum = maximumLocalSize(usableSize: usableSize)
    guard size > maximum else { return size }
    let minimum = (usableSize - 12) * 32 / 255 - 23
    let fitting = minimum + (size - minimum) % (usableSize - 4)
    return fitting <= maximum ? fitting : minimum
  }

  private func pageNumber(at offset: Int) -> UInt32? {
    guard offset + 4 <= bytes.count else { return nil }
    return UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// Reads an integer of one to nine bytes, and advances the offset. (section 1.6)
  private func varint(at offset: inout Int) -> UInt64? {
    var value: UInt64 = 0
    for count in 0..<9 {
      guard offset < bytes.count else { return nil }
      let byte = bytes[offset]
      offset += 1
      if count == 8 { return value << 8 | UInt64(byte) }
      value = value << 7 | UInt64(byte & 0x7f)
      if byte < 0x80 { return value }
    }
    return nil
  }
}
