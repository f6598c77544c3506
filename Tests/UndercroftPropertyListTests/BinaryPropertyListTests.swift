import Foundation
import Testing
import UndercroftPropertyList

@Suite struct BinaryPropertyListTests {
  private func value(_ object: [UInt8]) throws -> PropertyListValue {
    let document = try PropertyListDocument(BinaryFile(object).data)
    return try document.value(at: document.root)
  }

  private func error(_ file: BinaryFile) throws -> PropertyListError {
    try #require(throws: PropertyListError.self) {
      let document = try PropertyListDocument(file.data)
      _ = try document.value(at: document.root)
    }
  }

  // MARK: Values

  private static let scalars: [([UInt8], String)] = [
    ([0x00], "null"), ([0x08], "false"), ([0x09], "true"), ([0x10, 0xff], "255"),
    ([0x11, 0xff, 0xff], "65535"), ([0x12, 0xff, 0xff, 0xff, 0xff], "4294967295"),
    ([0x13] + [UInt8](repeating: 0xff, count: 8), "-1"),
    (
      [0x14] + [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 0xff, count: 8),
      "18446744073709551615"
    ),
    ([0x14, 0x80] + [UInt8](repeating: 0, count: 15), "\(Int128.min)"),
    ([0x22, 0x3f, 0xc0, 0, 0], "1.5"), ([0x23, 0x7f, 0xf0, 0, 0, 0, 0, 0, 0], "inf"),
    ([0x33, 0, 0, 0, 0, 0, 0, 0, 0], "2001-01-01T00:00:00Z"),
    ([0x33, 0x7f, 0xef, 0, 0, 0, 0, 0, 0], "1.7415152243978685e+308 seconds since 2001"),
    ([0x33, 0x7f, 0xf8, 0, 0, 0, 0, 0, 0], "nan seconds since 2001"),
    ([0x42, 1, 2], "2 bytes"), ([0x52, 0x41, 0x42], "AB"), ([0x52, 0xc3, 0xab], "ë"),
    ([0x62, 0xd8, 0x3d, 0xdc, 0xda], "📚"), ([0x80, 7], "UID(7)"),
    ([0x87, 0xff, 0, 0, 0, 0, 0, 0, 1], "UID(18374686479671623681)"),
    ([0x8f] + [UInt8](repeating: 0, count: 15) + [9], "UID(9)"),
  ]

  @Test(arguments: scalars)
  func `every type of scalar is decoded`(object: [UInt8], expected: String) throws {
    #expect(try value(object).description == expected)
  }

  @Test(
    arguments: [
      (0.5, "2001-01-01T00:00:00.500Z"), (-0.25, "2000-12-31T23:59:59.750Z"),
      (-0.1, "2000-12-31T23:59:59.900Z"), (0.1, "2001-01-01T00:00:00.100Z"),
      (86_399.0625, "2001-01-01T23:59:59.0625Z"),
      (0.123456789, "2001-01-01T00:00:00.123456789Z"), (1e-12, "2001-01-01T00:00:00.000000000Z"),
      (-1e-12, "2000-12-31T23:59:59.999999999Z"), (799_999_999.25, "2026-05-09T06:13:19.250Z"),
      (800_000_000, "2026-05-09T06:13:20Z"),
    ] as [(Double, String)])
  func `a date is shown with the fraction of its last second`(
    seconds: Double, expected: String
  ) throws {
    let bytes = withUnsafeBytes(of: seconds.bitPattern.bigEndian) { [UInt8]($0) }

    #expect(try value([0x33] + bytes).description == expected)
  }

  @Test func `adjacent dates are shown differently`() throws {
    let dates = [799_999_999.123456, -799_999_999.123456].flatMap { [$0, $0.nextUp] }

    let texts = dates.map { PropertyListValue.date(secondsSince2001: $0).description }

    #expect(Set(texts).count == 4)
  }

  @Test func `data is a slice of the bytes of the document`() throws {
    let document = try PropertyListDocument(BinaryFile([0x4f, 0x10, 3, 7, 8, 9]).data)

    let value = try document.value(at: document.root)

    guard case .data(let bytes) = value else {
      Issue.record("\(value)")
      return
    }
    #expect(bytes == Data([7, 8, 9]))
    #expect(bytes.startIndex == 11)
  }

  @Test func `sets and ordered sets have their elements in the order of the file`() throws {
    for marker in [0xb2, 0xc2] as [UInt8] {
      let document = try PropertyListDocument(BinaryFile([marker, 1, 2], [0x08], [0x10, 5]).data)

      let lines = Transcript.lines(PropertyListTree(document))

      #expect(lines == ["set 2", "  false", "  5", "end"])
    }
  }

  @Test func `repeated keys and keys that are not strings remain as they are`() throws {
    let file = BinaryFile([0xd3, 1, 1, 2, 3, 4, 0], [0x51, 0x61], [0x10, 7], [0x08], [0x09])

    let lines = Transcript.lines(PropertyListTree(try PropertyListDocument(file.data)))

    #expect(
      lines == [
        "dictionary 3", "  a:", "  false", "  a:", "  true", "  7:", "  object 0 again, a cycle",
        "end",
      ])
  }

  @Test func `references and offsets of every width up to eight bytes are decoded`() throws {
    for width in 1...8 {
      var file = BinaryFile([0xa1] + BinaryFile.bigEndian(1, width: width), [0x09])
      file.referenceWidth = width
      file.offsetWidth = width

      let lines = Transcript.lines(PropertyListTree(try PropertyListDocument(file.data)))

      #expect(lines == ["array 1", "  true", "end"])
    }
  }

  // MARK: Damaged objects

  private static let damaged: [([UInt8], String)] = [
    ([0x0f], "a reference leads to a fill byte"), ([0x05], "marker 0x05"), ([0x70], "marker 0x70"),
    ([0x90], "marker 0x90"), ([0xe0], "marker 0xe0"), ([0xf1], "marker 0xf1"),
    ([0x15], "an integer has 32 bytes"), ([0x1f], "an integer has 32768 bytes"),
    ([0x13, 1], "cut off"), ([0x14, 0, 0, 0, 0, 0, 0, 0, 0], "cut off"),
    ([0x21, 0, 0], "a real number has 2 bytes"), ([0x23], "cut off"),
    ([0x32, 0, 0, 0, 0], "a date has 4 bytes"), ([0x33, 0], "cut off"),
    ([0x44, 1, 2], "does not fit"), ([0x51, 0xff], "neither ASCII nor valid UTF-8"),
    ([0x61, 0xd8, 0x3d], "not valid UTF-16"), ([0x61, 0xdc, 0xda], "not valid UTF-16"),
    ([0x62, 0, 65], "does not fit"), ([0x87, 1], "cut off"),
    ([0x88, 1, 0, 0, 0, 0, 0, 0, 0, 0], "more than 64 bits"),
    ([0xaf], "the number of elements is missing"), ([0xaf, 0x09], "number of elements is missing"),
    ([0xaf, 0x14], "has 16 bytes"), ([0xaf, 0x13, 0, 0], "is cut off"),
    ([0xaf, 0x13, 0x40, 0, 0, 0, 0, 0, 0, 0], "4611686018427387904 elements does not fit"),
    ([0xdf, 0x13, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], "18446744073709551615"),
    ([0x6f, 0x13, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], "9223372036854775807"),
    ([0xd1, 0], "does not fit"),
  ]

  @Test(arguments: damaged)
  func `every kind of damaged object throws an error with its reason`(
    object: [UInt8], reason: String
  ) throws {
    let error = try error(BinaryFile(object))

    #expect(error.reason.contains(reason), "\(error)")
    #expect(error.location == .byte(8) || error.location == .byte(9))
  }

  @Test func `a reference out of range is reported at the offset of the reference`() throws {
    let document = try PropertyListDocument(BinaryFile([0xa2, 0, 7]).data)

    guard case .array(let elements) = try document.value(at: document.root) else { return }
    let error = try #require(throws: PropertyListError.self) {
      try document.value(at: elements[1])
    }

    #expect(error.location == .byte(10))
    #expect(error.reason.contains("object 7"))
  }

  // MARK: Damaged trailers

  @Test func `an absurd number of objects is refused`() throws {
    for count in [0, 2, 1 << 62, UInt64.max] {
      var file = BinaryFile([0x09])
      file.objectCount = count

      #expect(throws: PropertyListError.self) { try PropertyListDocument(file.data) }
    }
  }

  @Test func `a table of offsets that does not fill its space is refused`() throws {
    // A wrong number in the trailer would otherwise lead to other objects.
    for change in [1, -1, 4] {
      var file = BinaryFile([0xa1, 1], [0x10, 5])
      file.tableOffset = UInt64(12 + change)

      #expect(throws: PropertyListError.self) { try PropertyListDocument(file.data) }
    }
    let bytes = BinaryFile([0xa1, 1], [0x10, 5]).data
    #expect(throws: PropertyListError.self) {
      try PropertyListDocument(bytes.dropLast(32) + [0] + bytes.suffix(32))
    }
  }

  @Test func `widths that are not enough for the numbers of the file are refused`() throws {
    var file = BinaryFile(objects: [[UInt8]](repeating: [0x09], count: 300))
    #expect(try error(file).reason.contains("the width of references is 1 bytes"))
    file.referenceWidth = 2
    file.offsetWidth = 1
    #expect(try error(file).reason.contains("the width of offsets is 1 bytes"))
    file.offsetWidth = 2
    #expect(try PropertyListDocument(file.data).objectCount == 300)
  }

  @Test func `a root out of range is refused`() throws {
    var file = BinaryFile([0x09])
    file.root = 1 << 63

    #expect(try error(file).reason.contains("the root is object"))
  }

  @Test func `a table of offsets that overlaps the header or the trailer is refused`() throws {
    for offset in [0, 7, 13, 14, 1 << 63, UInt64.max] {
      var file = BinaryFile([0x09])
      file.tableOffset = offset

      #expect(throws: PropertyListError.self) { try PropertyListDocument(file.data) }
    }
  }

  @Test func `an object that begins outside of the objects is reported at its offset`() throws {
    for offset in [0, 7, 9, 13, UInt64(UInt32.max)] {
      var file = BinaryFile([0x09])
      file.offsets[0] = offset

      let error = try error(file)

      #expect(error.location == .byte(9))
      #expect(error.reason.contains("object 0 begins at byte \(offset)"))
    }
  }

  @Test func `widths of zero or more than eight bytes are refused`() throws {
    for width in [0, 9, 255] as [UInt8] {
      for place in [6, 7] {
        var bytes = BinaryFile([0x09]).data
        bytes[bytes.count - 32 + place] = width

        let error = try #require(throws: PropertyListError.self) {
          try PropertyListDocument(bytes)
        }

        #expect(error.location == .byte(bytes.count - 32 + place))
      }
    }
  }

  @Test func `another version of the binary format is refused`() throws {
    var bytes = BinaryFile([0x09]).data
    bytes.replaceSubrange(6..<8, with: Data("15".utf8))

    #expect(
      throws: PropertyListError(
        location: .byte(6),
        reason: "the version of the binary format is unknown; only version 0 is supported")
    ) { try PropertyListDocument(bytes) }
  }
}
