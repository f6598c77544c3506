import UndercroftFoundation

extension BinaryPropertyList {
  /// Returns the value of an object.
  func value(
    at reference: PropertyListReference
  ) throws(PropertyListError) -> PropertyListValue {
    let header = try header(of: reference)
    switch header.type {
    case 0: return try constant(header)
    case 1: return .integer(try integer(header))
    case 2: return .real(try real(header, width: 1 << header.low))
    case 3:
      guard header.low == 3 else {
        throw .byte(header.offset, "a date has \(1 << header.low) bytes instead of 8")
      }
      return .date(secondsSince2001: try real(header, width: 8))
    case 4: return .data(bytes.slice(at: header.body, count: header.count) ?? Data())
    case 5, 6: return .string(try string(header))
    case 8: return .uid(try uid(header))
    case 10: return .array(references(header))
    case 11, 12: return .set(references(header))
    case 13:
      return .dictionary(keys: references(header), values: references(header, skipsKeys: true))
    default:
      throw .byte(header.offset, "no type of object has the marker \(hexadecimal(header))")
    }
  }

  private func constant(_ header: Header) throws(PropertyListError) -> PropertyListValue {
    switch header.low {
    case 0: return .null
    case 8: return .boolean(false)
    case 9: return .boolean(true)
    case 15: throw .byte(header.offset, "a reference leads to a fill byte, which has no value")
    default:
      throw .byte(header.offset, "no type of object has the marker \(hexadecimal(header))")
    }
  }

  /// Returns an integer; 1, 2 and 4 bytes are unsigned, 8 and 16 bytes are signed.
  func integer(_ header: Header) throws(PropertyListError) -> Int128 {
    let width = 1 << header.low
    guard width <= 16 else {
      throw .byte(header.offset, "an integer has \(width) bytes instead of at most 16")
    }
    guard width == 16 else {
      let bits = try bits(header, width: width)
      return width == 8 ? Int128(Int64(bitPattern: bits)) : Int128(bits)
    }
    guard width <= trailer.tableOffset - header.body,
      let high = bytes.integer(at: header.body, width: 8),
      let low = bytes.integer(at: header.body + 8, width: 8)
    else { throw cutOff(header) }
    return Int128(Int64(bitPattern: high)) << 64 | Int128(low)
  }

  func real(_ header: Header, width: Int) throws(PropertyListError) -> Double {
    switch width {
    case 4:
      let bits = try bits(header, width: 4)
      return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case 8: return Double(bitPattern: try bits(header, width: 8))
    default:
      throw .byte(header.offset, "a real number has \(width) bytes instead of 4 or 8")
    }
  }

  /// Returns a UID, whose width is one more than the low four bits.
  private func uid(_ header: Header) throws(PropertyListError) -> UInt64 {
    let width = header.low + 1
    let excess = max(0, width - 8)
    for index in 0..<excess where (bytes.byte(at: header.body + index) ?? 0) != 0 {
      throw .byte(header.offset, "a UID has more than 64 bits")
    }
    guard width <= trailer.tableOffset - header.body,
      let number = bytes.integer(at: header.body + excess, width: width - excess)
    else { throw cutOff(header) }
    return number
  }

  private func bits(_ header: Header, width: Int) throws(PropertyListError) -> UInt64 {
    guard width <= trailer.tableOffset - header.body,
      let bits = bytes.integer(at: header.body, width: width)
    else { throw cutOff(header) }
    return bits
  }

  /// Returns a string.
  ///
  /// Some programs write UTF-8 where the format requires ASCII, so valid UTF-8 is accepted.
  func string(_ header: Header) throws(PropertyListError) -> String {
    if header.type == 5 {
      guard let text = bytes.utf8(at: header.body, count: header.count) else {
        throw .byte(header.offset, "the string is neither ASCII nor valid UTF-8")
      }
      return text
    }
    guard let text = bytes.utf16(at: header.body, count: header.count) else {
      throw .byte(header.offset, "the string is not valid UTF-16; a surrogate is unpaired")
    }
    return text
  }

  private func references(_ header: Header, skipsKeys: Bool = false) -> PropertyListReferences {
    let keySize = skipsKeys ? header.count * trailer.referenceWidth : 0
    return PropertyListReferences(self, offset: header.body + keySize, count: header.count)
  }

  private func cutOff(_ header: Header) -> PropertyListError {
    .byte(header.offset, "the object is cut off by the table of offsets")
  }

  private func hexadecimal(_ header: Header) -> String {
    "0x" + String(header.type, radix: 16) + String(header.low, radix: 16)
  }

  // MARK: Strings

  /// Returns the number of bytes of a string, or 0 for another type.
  func decodedSize(of reference: PropertyListReference) -> Int {
    guard let header = try? header(of: reference) else { return 0 }
    switch header.type {
    case 5: return header.count
    case 6: return header.count * 2
    default: return 0
    }
  }

  /// Returns whether an object is a string of more than `length` code units.
  func isString(_ reference: PropertyListReference, longerThan length: Int) -> Bool {
    guard let header = try? header(of: reference) else { return false }
    return (header.type == 5 || header.type == 6) && header.count > length
  }

  func isString(_ reference: PropertyListReference, equalTo text: String) -> Bool {
    guard let header = try? header(of: reference) else { return false }
    switch header.type {
    case 5: return header.count == text.utf8.count && bytes.areEqual(at: header.body, text)
    case 6:
      guard header.count == text.utf16.count else { return false }
      return bytes.utf16(at: header.body, count: header.count)?.utf8.elementsEqual(text.utf8)
        ?? false
    default: return false
    }
  }
}
