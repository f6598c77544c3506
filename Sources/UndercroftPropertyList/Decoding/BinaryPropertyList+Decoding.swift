import UndercroftFoundation

extension BinaryPropertyList {
  /// Returns the value of an object as a decoder reads it.
  func storedValue(at number: Int) throws(PropertyListError) -> StoredValue {
    let header = try header(of: PropertyListReference(number: number))
    switch header.type {
    case 1: return .integer(try integer(header))
    case 2:
      let number = try real(header, width: 1 << header.low)
      // Foundation reads each NaN as the same.
      return .real(number.isNaN ? .nan : number)
    case 3 where header.low == 3: return .date(secondsSince2001: try real(header, width: 8))
    case 5: return isNull(header) ? .null : .string
    case 10: return .array(ElementRange(start: header.body, count: header.count))
    case 13: return .dictionary(ElementRange(start: header.body, count: header.count))
    case 4: return .data
    case 6: return .string
    default:
      switch try value(at: PropertyListReference(number: number)) {
      case .boolean(let value): return .boolean(value)
      case .uid: return .uid
      case .set: return .set
      default: return .null
      }
    }
  }

  /// Returns whether an ASCII string is `$null`, which an encoder writes for `nil`.
  private func isNull(_ header: Header) -> Bool {
    header.count == 5 && bytes.byte(at: header.body) == UInt8(ascii: "$")
      && bytes.areEqual(at: header.body, "$null")
  }

  /// Returns the number of an element, after verifying that the element exists.
  func element(_ index: Int, of range: ElementRange) throws(PropertyListError) -> Int {
    let offset = range.start + index * trailer.referenceWidth
    let number = bytes.integer(at: offset, width: trailer.referenceWidth) ?? .max
    guard number < UInt64(trailer.objectCount) else {
      throw missingObject(Int(clamping: number), at: offset)
    }
    return Int(number)
  }

  /// Returns the text of a string.
  func string(at number: Int) throws(PropertyListError) -> String {
    try string(try header(of: PropertyListReference(number: number)))
  }

  /// Returns a copy of the bytes of data.
  func data(at number: Int) throws(PropertyListError) -> Data {
    let header = try header(of: PropertyListReference(number: number))
    return bytes.slice(at: header.body, count: header.count).map { Data($0) } ?? Data()
  }

  /// Returns the number of bytes or code units of a string or data.
  func size(at number: Int) throws(PropertyListError) -> Int {
    try header(of: PropertyListReference(number: number)).count
  }

  /// Returns the place of a key, or `nil` if the key is a string but not a short ASCII text.
  func keyText(at number: Int, maximumLength: Int) throws(PropertyListError) -> KeyText? {
    let header = try header(of: PropertyListReference(number: number))
    guard header.type == 5 || header.type == 6 else {
      throw .byte(header.offset, "a key of a dictionary is not a string")
    }
    guard header.type == 5, header.count <= maximumLength else { return nil }
    return bytes.withUnsafeBytes { bytes in
      for index in header.body..<header.body + header.count where bytes[index] >= 0x80 {
        return nil
      }
      return KeyText(offset: header.body, length: header.count, in: bytes)
    }
  }

  /// Returns whether two dictionaries with the same number of keys refer to the same keys.
  func haveSameKeys(_ lhs: ElementRange, _ rhs: ElementRange) -> Bool {
    lhs.count == rhs.count
      && bytes.areEqual(
        at: lhs.start, and: rhs.start, count: lhs.count * trailer.referenceWidth)
  }
}
