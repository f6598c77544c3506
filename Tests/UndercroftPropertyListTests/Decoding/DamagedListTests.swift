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
    guard case DecodingError.dataCorrupted(let context)? = error else { return nil }
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
      #expect(DecodingOutcome.ours(bytes) == .value(Book()))
      #expect(DecodingOutcome.foundation(bytes) == .value(Book()))
    }
  }

  @Test func `the null of the binary format and the ASCII text $null are nil`() throws {
    let null: [UInt8] = [0x55] + Array("$null".utf8)
    let wideText: [UInt8] = [0x65] + "$null".utf16.flatMap { [0, UInt8($0)] }

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

  @Test func `many references to one long text or to one long data share one copy`() throws {
    let size = 1 << 20
    let count = 5_000
    let text =
      [0x5f, 0x12] + BinaryFile.bigEndian(UInt64(size), width: 4)
      + [UInt8](repeating: 0x61, count: size)
    let data = [0x4f] + text.dropFirst()
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
