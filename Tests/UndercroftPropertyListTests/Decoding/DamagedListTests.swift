import Foundation
import Testing
import UndercroftPropertyList

/// Tests of binary lists that Foundation does not write.
@Suite struct DamagedListTests {
  private func decode<Value: Decodable>(_ type: Value.Type, _ objects: [UInt8]...) throws -> Value {
    try PropertyListDocument(BinaryFile(objects: objects).data).decode(type)
  }

  /// Returns the reason and the place of the damage that an error reports.
  private func damage(_ error: (any Error)?) -> PropertyListError? {
    guard let error = error as? DecodingError, case .dataCorrupted(let context) = error else {
      return nil
    }
    return context.underlyingError as? PropertyListError
  }

  @Test func `the error of a damaged value has the path of the value and the place in the file`()
    throws
  {
    let error = #expect(throws: DecodingError.self) {
      try decode(
        [String: [Data]].self, [0xd1, 1, 2], [0x51, 0x61], [0xa2, 3, 4], [0x40], [0x49, 1])
    }

    guard case .dataCorrupted(let context) = error else { return }
    #expect(context.codingPath.map(\.stringValue) == ["a", "Index 1"])
    #expect(damage(error)?.location == .byte(17))
    #expect(context.debugDescription.hasSuffix("table of offsets (byte 17)"))
  }

  @Test
  func `a reference to an object that does not exist is an error with the path and the place`()
    throws
  {
    let error = #expect(throws: DecodingError.self) {
      try decode([Int?].self, [0xa2, 1, 9], [0x10, 5])
    }

    guard case .dataCorrupted(let context) = error else { return }
    #expect(context.codingPath.map(\.intValue) == [1])
    #expect(damage(error)?.location == .byte(10))
  }

  @Test func `a key that is not a string or that is damaged is an error`() throws {
    for key in [[0x10, 5], [0xa0], [0x00], [0x51, 0xff], [0x61, 0xd8, 0x3d], [0x5f, 0x10, 200]]
      as [[UInt8]]
    {
      let error = #expect(throws: DecodingError.self) {
        try decode([String: Bool].self, [0xd1, 1, 2], key, [0x09])
      }
      #expect(damage(error) != nil)
    }
  }

  @Test func `the last value of a repeated key counts, also of a canonically equivalent key`()
    throws
  {
    let composed: [UInt8] = [0x61, 0, 0xe9]
    let decomposed: [UInt8] = [0x62, 0, 0x65, 3, 1]
    let values: [[UInt8]] = [[0x10, 1], [0x10, 2], [0x10, 3]]

    let plain = try decode(
      [String: Int].self, [0xd2, 1, 1, 2, 3], [0x51, 0x61], values[0], values[1])
    let equivalent = try decode(
      [String: Int].self, [0xd3, 1, 2, 3, 4, 5, 6], composed, decomposed, [0x51, 0x65], values[0],
      values[1],
      values[2])

    #expect(plain == ["a": 2])
    #expect(equivalent == ["\u{e9}": 2, "e": 3])
  }

  @Test func `a field is found under a canonically equivalent key`() throws {
    struct Book: Codable, Equatable {
      enum CodingKeys: String, CodingKey { case pages = "pages\u{e9}" }
      var pages = 7
    }
    for format in WrittenFormat.allCases {
      let bytes = try format.encode(["pagese\u{301}": 7])
      #expect(DecodingOutcome<Book>.ours(bytes) == .value(Book()))
      #expect(DecodingOutcome<Book>.foundation(bytes) == .value(Book()))
    }
  }

  @Test(arguments: [1, 16, 17])
  func `a field is found under an ASCII key that is canonically equivalent to its key`(
    count: Int
  ) throws {
    struct Temperature: Decodable, Equatable {
      // The sign of the unit kelvin, which normalization replaces by the letter K.
      enum CodingKeys: String, CodingKey { case kelvin = "\u{212a}" }
      var kelvin = 290
    }
    var fields = Dictionary(uniqueKeysWithValues: (1..<count).map { ("field \($0)", $0) })
    fields["K"] = 290
    for format in WrittenFormat.allCases {
      let bytes = try format.encode(fields)

      #expect(DecodingOutcome<Temperature>.ours(bytes) == .value(Temperature()))
      #expect(DecodingOutcome<Temperature>.foundation(bytes) == .value(Temperature()))
    }
  }

  @Test func `the null of the binary format and the ASCII text $null are nil`() throws {
    let null: [UInt8] = [0x55] + Array("$null".utf8)
    let wideText: [UInt8] = [0x65, 0, 0x24, 0, 0x6e, 0, 0x75, 0, 0x6c, 0, 0x6c]

    #expect(try decode([Int?].self, [0xa2, 1, 2], [0x00], null) == [nil, nil])
    #expect(try decode([String].self, [0xa1, 1], wideText) == ["$null"])
    #expect(throws: DecodingError.self) { try decode([String].self, [0xa1, 1], null) }
  }

  @Test func `an integer of 16 bytes is decoded with all bytes`() throws {
    let zeros = [UInt8](repeating: 0, count: 8)
    let ones = [UInt8](repeating: 0xff, count: 8)

    #expect(try decode([UInt64].self, [0xa1, 1], [0x14] + zeros + ones) == [.max])
    #expect(try decode([Int].self, [0xa1, 1], [0x14] + ones + ones) == [-1])
    // Foundation ignores the first eight bytes.
    #expect(throws: DecodingError.self) {
      try decode([UInt64].self, [0xa1, 1], [0x14, 1] + zeros.dropLast() + ones)
    }
  }

  @Test func `sets and UIDs have no type that can be decoded`() throws {
    for object in [[0xb1, 1], [0xc1, 1], [0x80, 1]] as [[UInt8]] {
      #expect(throws: DecodingError.self) { try decode([Int].self, object, [0x10, 1]) }
      #expect(throws: DecodingError.self) { try decode(Int.self, object, [0x10, 1]) }
    }
  }

  @Test func `a list that contains itself is an error at the reference`() throws {
    for objects in [[[0xa1, 0]], [[0xa1, 1], [0xd1, 2, 0], [0x51, 0x61]]] as [[[UInt8]]] {
      let document = try PropertyListDocument(BinaryFile(objects: objects).data)

      let error = try #require(throws: PropertyListError.self) { try document.nestingDepth() }

      #expect(error.reason == "an array or dictionary of the property list contains itself")
      #expect(error.location == .byte(objects.count == 1 ? 9 : 12))
    }
  }

  @Test func `the depth is that of the longest path, and shared containers are visited once`()
    throws
  {
    func depth(_ objects: [[UInt8]]) throws -> Int {
      try PropertyListDocument(BinaryFile(objects: objects).data).nestingDepth()
    }

    #expect(try depth([[0x09]]) == 0)
    #expect(try depth([[0xa0]]) == 1)
    #expect(try depth([[0xa3, 1, 2, 3], [0xa1, 2], [0xa0], [0x09]]) == 3)
    #expect(try depth([[0xd1, 1, 2], [0xa0], [0xc1, 3], [0xa0]]) == 3)
  }

  @Test func `references that expand to a million arrays are refused`() throws {
    var objects = (1...20).map { [0xa2, UInt8($0), UInt8($0)] }
    objects.append([0xa0])
    let document = try PropertyListDocument(BinaryFile(objects: objects).data)

    let error = try #require(throws: PropertyListError.self) { try document.nestingDepth() }

    #expect(error.reason.contains("refers to objects so often"))
  }

  @Test func `a long array of equal elements is decoded`() throws {
    // The list has two objects, and decoding visits one of them for each element.
    let flags = [Bool](repeating: true, count: 100_000)
    let bytes = try WrittenFormat.binary.encode(flags)

    #expect(DecodingOutcome<[Bool]>.ours(bytes) == .value(flags))
  }

  /// Returns a list with an array of 200 references to different numbers, all of which lead to one
  /// object.
  private func list(ofNumbersOf object: [UInt8], _ others: [UInt8]...) -> BinaryFile {
    let count = 200
    var array: [UInt8] = [0xaf, 0x10, UInt8(count)]
    array.append(contentsOf: 1...UInt8(count))
    var objects = [array, object]
    objects.append(contentsOf: [[UInt8]](repeating: [], count: count - 1))
    objects.append(contentsOf: others)
    var file = BinaryFile(objects: objects)
    let offset = UInt64(8 + 3 + count)
    for number in 2...count { file.offsets[number] = offset }
    return file
  }

  @Test func `arrays that overlap each other are refused`() throws {
    // Each of 200 arrays has 200 elements, so that a walk visits the square of the file's size.
    let array: [UInt8] = [0xaf, 0x10, 200] + [UInt8](repeating: 201, count: 200)
    let document = try PropertyListDocument(list(ofNumbersOf: array, [0x09]).data)

    let error = try #require(throws: PropertyListError.self) { try document.nestingDepth() }

    #expect(error.reason == "the arrays and dictionaries of the property list overlap each other")
  }

  @Test func `long strings or data that overlap each other are refused`() throws {
    for marker in [0x4f, 0x5f] as [UInt8] {
      var object: [UInt8] = [marker, 0x11, 0x01, 0x2c]
      object.append(contentsOf: [UInt8](repeating: 0x61, count: 300))
      let document = try PropertyListDocument(list(ofNumbersOf: object).data)

      let error = #expect(throws: DecodingError.self) {
        if marker == 0x4f {
          _ = try document.decode([Data].self)
        } else {
          _ = try document.decode([String].self)
        }
      }

      #expect(damage(error)?.location == .byte(211))
      #expect(
        damage(error)?.reason == "the strings and data of the property list overlap each other")
    }
  }

  @Test func `a damaged long string that is requested several times is not counted several times`()
    throws
  {
    struct Note: Decodable {
      let text: String?

      init(from decoder: any Decoder) throws {
        text = try? decoder.singleValueContainer().decode(String.self)
      }
    }
    func string(of byte: UInt8) -> [UInt8] {
      [0x5f, 0x11, 0x01, 0x2c] + [UInt8](repeating: byte, count: 300)
    }

    let notes = try decode([Note].self, [0xa4, 1, 1, 1, 2], string(of: 0xff), string(of: 0x61))

    #expect(notes.map(\.text) == [nil, nil, nil, String(repeating: "a", count: 300)])
  }

  @Test func `many references to one long text or to one long data share one copy`() throws {
    let size = 1 << 20
    let count = 5_000
    let text =
      [0x5f, 0x12] + BinaryFile.bigEndian(UInt64(size), width: 4)
      + [UInt8](repeating: 0x61, count: size)
    var data = text
    data[0] = 0x4f
    for object in [text, data] {
      let references = [UInt8](repeating: 1, count: count)
      let array = [0xaf, 0x11] + BinaryFile.bigEndian(UInt64(count), width: 2) + references
      let document = try PropertyListDocument(BinaryFile(objects: [array, object]).data)

      // 5 GB, if each reference had its own copy.
      if object == text {
        #expect(try document.decode([String].self).allSatisfy { $0.utf8.count == size })
      } else {
        #expect(try document.decode([Data].self).allSatisfy { $0.count == size })
      }
    }
  }
}
