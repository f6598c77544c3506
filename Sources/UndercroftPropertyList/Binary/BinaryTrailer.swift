import UndercroftFoundation

/// The last 32 bytes of a binary property list, which describe its object table.
///
/// Bytes 6 and 7 are the widths of offsets and of references. Three 8-byte integers follow:
/// the number of objects, the number of the root, and the offset of the table of offsets.
struct BinaryTrailer: Sendable {
  static let size = 32
  /// The length of the magic number, after which the objects begin.
  static let headerSize = 8

  let offsetWidth: Int
  let referenceWidth: Int
  let objectCount: Int
  let rootNumber: Int
  /// The offset of the table of offsets, where the objects end.
  let tableOffset: Int
  /// The offset of the trailer itself.
  let offset: Int

  static func hasMagic(_ bytes: Data) -> Bool { bytes.starts(with: "bplist".utf8) }

  init(_ bytes: BigEndianBytes) throws(PropertyListError) {
    guard bytes.areEqual(at: 0, "bplist0") else {
      throw .byte(6, "the version of the binary format is unknown; only version 0 is supported")
    }
    guard bytes.count >= Self.headerSize + Self.size + 2 else {
      throw .byte(bytes.count, "the file ends early; its trailer is missing")
    }
    offset = bytes.count - Self.size
    offsetWidth = try Self.width(bytes, at: offset + 6, of: "offsets")
    referenceWidth = try Self.width(bytes, at: offset + 7, of: "references")

    let table = bytes.integer(at: offset + 24, width: 8) ?? .max
    guard table >= UInt64(Self.headerSize), table < UInt64(offset) else {
      throw .byte(
        offset + 24, "the table of offsets begins at byte \(table), outside of the file's body")
    }
    tableOffset = Int(table)

    let count = bytes.integer(at: offset + 8, width: 8) ?? .max
    let tableSize = offset - tableOffset
    guard count > 0 else { throw .byte(offset + 8, "the file has no object") }
    // A wrong offset of the table, or bytes that are missing, would lead to wrong objects. The
    // table therefore must fill the space between the objects and the trailer.
    guard tableSize % offsetWidth == 0, count == UInt64(tableSize / offsetWidth) else {
      throw .byte(
        offset + 8,
        "the number of objects is \(count), but the table of offsets has \(tableSize) bytes for "
          + "offsets of \(offsetWidth) bytes")
    }
    objectCount = Int(count)
    guard Self.fits(count, width: referenceWidth) else {
      throw .byte(
        offset + 7,
        "the width of references is \(referenceWidth) bytes, which is not enough for "
          + "\(count) objects")
    }
    guard Self.fits(table, width: offsetWidth) else {
      throw .byte(
        offset + 6,
        "the width of offsets is \(offsetWidth) bytes, which is not enough for \(table) bytes of "
          + "objects")
    }

    let root = bytes.integer(at: offset + 16, width: 8) ?? .max
    guard root < count else {
      throw .byte(
        offset + 16, "the root is object \(root), but the number of objects is \(count)")
    }
    rootNumber = Int(root)
  }

  /// Returns whether `width` bytes can represent a number.
  private static func fits(_ number: UInt64, width: Int) -> Bool {
    width >= 8 || number >> UInt64(8 * width) == 0
  }

  private static func width(
    _ bytes: BigEndianBytes, at offset: Int, of things: String
  ) throws(PropertyListError) -> Int {
    let width = Int(bytes.byte(at: offset) ?? 0)
    guard (1...8).contains(width) else {
      throw .byte(offset, "the width of \(things) is \(width) bytes instead of 1 to 8")
    }
    return width
  }
}
