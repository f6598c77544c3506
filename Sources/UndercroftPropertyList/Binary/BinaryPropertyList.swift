import UndercroftFoundation

/// A reader of the objects of a binary property list.
///
/// A class, so that the collections of references and the events of a walk remain small values.
final class BinaryPropertyList: Sendable {
  /// The first bytes of an object, decoded.
  struct Header {
    /// The high four bits of the first byte.
    let type: UInt8
    /// The low four bits of the first byte.
    let low: Int
    /// The offset of the first byte.
    let offset: Int
    /// The offset after the first byte, and after the number of elements if the type has one.
    let body: Int
    /// The number of elements, bytes or code units, or 0 if the type has none.
    let count: Int
  }

  let bytes: BigEndianBytes
  let trailer: BinaryTrailer

  var root: PropertyListReference { PropertyListReference(number: trailer.rootNumber) }

  init(_ data: Data) throws(PropertyListError) {
    bytes = BigEndianBytes(data)
    trailer = try BinaryTrailer(bytes)
  }

  /// Returns the offset of the first byte of an object.
  func offset(of reference: PropertyListReference) throws(PropertyListError) -> Int {
    let number = reference.number
    guard number >= 0, number < trailer.objectCount else {
      throw missingObject(number, at: reference.origin ?? trailer.offset)
    }
    // The trailer guarantees that the whole table is inside the file.
    let entry = trailer.tableOffset + number * trailer.offsetWidth
    let offset = bytes.integer(at: entry, width: trailer.offsetWidth) ?? .max
    guard offset >= UInt64(BinaryTrailer.headerSize), offset < UInt64(trailer.tableOffset) else {
      throw .byte(
        entry,
        "object \(number) begins at byte \(offset), but objects are between byte "
          + "\(BinaryTrailer.headerSize) and byte \(trailer.tableOffset)")
    }
    return Int(offset)
  }

  /// Returns the error for a reference to an object that does not exist.
  func missingObject(_ number: Int, at offset: Int) -> PropertyListError {
    .byte(
      offset,
      "a reference leads to object \(number), but the number of objects is \(trailer.objectCount)")
  }

  /// Returns the first byte of an object, or `nil` if the object is damaged.
  func marker(of number: Int) -> UInt8? {
    guard let offset = try? offset(of: PropertyListReference(number: number)) else { return nil }
    return bytes.byte(at: offset)
  }

  /// Returns the header of an object, after verifying that all bytes of the object exist.
  func header(of reference: PropertyListReference) throws(PropertyListError) -> Header {
    let offset = try offset(of: reference)
    let marker = bytes.byte(at: offset) ?? 0
    let type = marker >> 4
    let low = Int(marker & 15)
    guard let elementWidth = elementWidth(type) else {
      return Header(type: type, low: low, offset: offset, body: offset + 1, count: 0)
    }
    let (count, body) = try elementCount(low, after: offset)
    let available = trailer.tableOffset - body
    guard count <= UInt64(available / elementWidth) else {
      throw .byte(
        offset,
        "an object of \(count) elements does not fit into the \(available) bytes up to "
          + "the table of offsets")
    }
    return Header(type: type, low: low, offset: offset, body: body, count: Int(count))
  }

  /// Returns the bytes of an element, or `nil` for types without a number of elements.
  private func elementWidth(_ type: UInt8) -> Int? {
    switch type {
    case 4, 5: 1
    case 6: 2
    case 10, 11, 12: trailer.referenceWidth
    case 13: trailer.referenceWidth * 2
    default: nil
    }
  }

  /// Returns the number of elements, and the offset after that number.
  ///
  /// The number is in the low four bits of the first byte, or in the integer object after that
  /// byte if these four bits are all set.
  private func elementCount(
    _ low: Int, after offset: Int
  ) throws(PropertyListError) -> (count: UInt64, body: Int) {
    guard low == 15 else { return (UInt64(low), offset + 1) }
    let place = offset + 1
    guard place < trailer.tableOffset, let marker = bytes.byte(at: place), marker >> 4 == 1 else {
      throw .byte(place, "the number of elements is missing")
    }
    let width = 1 << Int(marker & 15)
    guard width <= 8 else {
      throw .byte(place, "the number of elements has \(width) bytes instead of at most 8")
    }
    guard width < trailer.tableOffset - place,
      let count = bytes.integer(at: place + 1, width: width)
    else { throw .byte(place, "the number of elements is cut off by the table of offsets") }
    return (count, place + 1 + width)
  }
}
