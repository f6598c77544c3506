import UndercroftFoundation

/// A formatter of binary property lists (`bplist00`) as text; the formatter rejects damaged bytes.
///
/// Every access is bounds-checked. Objects refer to each other by index, so a short file can
/// describe an endless tree. The depth and the length of the text are therefore limited.
struct PropertyListText {
  private static let magic = Data("bplist00".utf8)
  private static let maximumDepth = 64
  private static let maximumTextSize = 8 << 20

  private struct Damage: Error {}

  private let bytes: [UInt8]
  private let offsetSize: Int
  private let referenceSize: Int
  private let objectCount: Int
  private let offsets: Int
  private var text = ""

  static func isOne(_ bytes: Data) -> Bool { bytes.starts(with: magic) }

  /// Returns the property list as text, or `nil` if it is damaged or too large to show.
  static func readable(_ bytes: Data) -> String? {
    do {
      var reader = try PropertyListText([UInt8](bytes))
      try reader.write(try reader.integer(at: bytes.count - 16, 8), depth: 0)
      return reader.text
    } catch {
      return nil
    }
  }

  private init(_ bytes: [UInt8]) throws {
    // The last 32 bytes contain the sizes of offsets and
    // references at bytes 6 and 7, then three 8-byte numbers.
    guard bytes.count >= 40 else { throw Damage() }
    let trailer = bytes.count - 32
    self.bytes = bytes
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else { throw Damage() }
    objectCount = try Self.integer(bytes, at: trailer + 8, 8)
    offsets = try Self.integer(bytes, at: trailer + 24, 8)
    guard offsets <= trailer, objectCount <= (trailer - offsets) / offsetSize else {
      throw Damage()
    }
  }

  // MARK: Objects

  private mutating func write(_ object: Int, depth: Int) throws {
    guard object < objectCount, depth <= Self.maximumDepth, text.utf8.count <= Self.maximumTextSize
    else {
      throw Damage()
    }
    var offset = try integer(at: offsets + object * offsetSize, offsetSize)
    guard offset < offsets else { throw Damage() }
    let marker = bytes[offset]
    offset += 1
    let low = Int(marker & 15)
    switch marker >> 4 {
    case 0: text += try constant(marker)
    case 1: text += try integerText(at: offset, 1 << low)
    case 2: text += "\(try real(at: offset, 1 << low))"
    case 3: text += Self.date(try real(at: offset, 8))
    case 4:
      let size = try count(low, &offset)
      text += Self.data(try slice(at: offset, size))
    case 5:
      let size = try count(low, &offset)
      write(String(decoding: try slice(at: offset, size), as: UTF8.self))
    case 6:
      let size = try count(low, &offset)
      write(try utf16Text(at: offset, size))
    case 8: text += "UID(\(try integer(at: offset, low + 1)))"
    case 10, 11, 12:
      let size = try count(low, &offset)
      try writeList("[", "]", size, depth) { reader, index in
        try reader.write(reader.reference(offset, index), depth: depth + 1)
      }
    case 13:
      let size = try count(low, &offset)
      try writeList("{", "}", size, depth) { reader, index in
        try reader.write(reader.reference(offset, index), depth: depth + 1)
        reader.text += ": "
        try reader.write(reader.reference(offset, size + index), depth: depth + 1)
      }
    default: throw Damage()
    }
  }

  private mutating func writeList(
    _ opening: String, _ closing: String, _ count: Int, _ depth: Int,
    _ element: (inout PropertyListText, Int) throws -> Void
  ) throws {
    text += opening
    for index in 0..<count {
      text += index == 0 ? "\n" : ",\n"
      text += String(repeating: "  ", count: depth + 1)
      try element(&self, index)
    }
    if count > 0 { text += "\n" + String(repeating: "  ", count: depth) }
    text += closing
  }

  private mutating func write(_ string: String) {
    text += "\""
    for scalar in string.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { text += "\\" }
      text += scalar == "\n" ? "\\n" : String(scalar)
    }
    text += "\""
  }

  private func constant(_ marker: UInt8) throws -> String {
    switch marker {
    case 0: "null"
    case 8: "false"
    case 9: "true"
    default: throw Damage()
    }
  }

  private static func date(_ seconds: Double) -> String {
    // The years 1 to 9999, which ISO 8601 represents with four digits.
    guard (-63_000_000_000...252_000_000_000).contains(seconds) else {
      return "\(seconds) seconds since 2001"
    }
    return Date(timeIntervalSinceReferenceDate: seconds).formatted(.iso8601)
  }

  private static func data(_ bytes: ArraySlice<UInt8>) -> String {
    let start = bytes.prefix(16).map(ValueText.hexadecimal).joined()
    return bytes.count > 16 ? "<\(start)… \(bytes.count) bytes>" : "<\(start)>"
  }

  // MARK: Bytes

  /// Returns the number of elements of an object.
  ///
  /// The number is in the low four bits of the object's first byte, or in the integer
  /// after that byte if these four bits are all set.
  ///
  /// - Parameters:
  ///   - low: the low four bits of the object's first byte.
  ///   - offset: the offset of the following byte, which is advanced past the integer.
  private func count(_ low: Int, _ offset: inout Int) throws -> Int {
    guard low == 15 else { return low }
    guard offset < offsets, bytes[offset] >> 4 == 1 else { throw Damage() }
    let size = 1 << Int(bytes[offset] & 15)
    let count = try integer(at: offset + 1, size)
    offset += 1 + size
    // Each element has at least one byte.
    guard count <= bytes.count else { throw Damage() }
    return count
  }

  private func reference(_ offset: Int, _ index: Int) throws -> Int {
    try integer(at: offset + index * referenceSize, referenceSize)
  }

  private func integer(at offset: Int, _ size: Int) throws -> Int {
    try Self.integer(bytes, at: offset, size)
  }

  private static func integer(_ bytes: [UInt8], at offset: Int, _ size: Int) throws -> Int {
    guard (1...8).contains(size), offset >= 0, bytes.count - offset >= size else { throw Damage() }
    let number = bytes[offset..<offset + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard let number = Int(exactly: number) else { throw Damage() }
    return number
  }

  /// Returns an integer as text; 8-byte integers are signed,
  /// and 16-byte integers contain larger unsigned values.
  private func integerText(at offset: Int, _ size: Int) throws -> String {
    let wide = try slice(at: offset, size).suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return size == 8 ? "\(Int64(bitPattern: wide))" : "\(wide)"
  }

  private func real(at offset: Int, _ size: Int) throws -> Double {
    let bits = try slice(at: offset, size).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    switch size {
    case 4: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case 8: return Double(bitPattern: bits)
    default: throw Damage()
    }
  }

  private func utf16Text(at offset: Int, _ count: Int) throws -> String {
    let bytes = try slice(at: offset, count * 2)
    let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map {
      UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
    }
    return String(decoding: units, as: UTF16.self)
  }

  private func slice(at offset: Int, _ size: Int) throws -> ArraySlice<UInt8> {
    guard offset >= 0, size >= 0, offsets - offset >= size else { throw Damage() }
    return bytes[offset..<offset + size]
  }
}
