import Foundation
import Testing
import UndercroftPropertyList

/// Tests that values which Foundation wrote are decoded as Foundation's decoder decodes them.
@Suite struct ValueDecodingTests {
  private func expectSame<Value: Codable & Equatable>(
    _ value: Value, at location: SourceLocation = #_sourceLocation
  ) throws {
    for format in WrittenFormat.allCases {
      let bytes = try format.encode(["value": value])

      let ours = DecodingOutcome<[String: Value]>.ours(bytes)

      #expect(ours == .foundation(bytes), "\(format)", sourceLocation: location)
      #expect(ours.isValue, "\(format): \(ours)", sourceLocation: location)
    }
  }

  @Test(arguments: WrittenFormat.allCases)
  func `a value with fields of all types is decoded as it was encoded`(
    format: WrittenFormat
  ) throws {
    let entry = CatalogueEntry()

    let bytes = try format.encode(entry)

    #expect(DecodingOutcome<CatalogueEntry>.ours(bytes) == .value(entry))
    #expect(DecodingOutcome<CatalogueEntry>.foundation(bytes) == .value(entry))
  }

  @Test func `the limits of all integer types are decoded`() throws {
    func check<Number: FixedWidthInteger & Codable>(_ type: Number.Type) throws {
      try expectSame([Number.min, .max, 0, 1])
    }
    try check(Int8.self)
    try check(Int16.self)
    try check(Int32.self)
    try check(Int64.self)
    try check(Int.self)
    try check(UInt8.self)
    try check(UInt16.self)
    try check(UInt32.self)
    try check(UInt64.self)
    try check(UInt.self)
  }

  @Test func `an integer that does not fit into the requested type is damaged data`() throws {
    for format in WrittenFormat.allCases {
      for number in [Int64.min, -129, -128, -1, 0, 127, 128, 255, 256, 65_536, .max] {
        let bytes = try format.encode(["number": number])
        expectSameOutcome([String: Int8].self, bytes)
        expectSameOutcome([String: UInt8].self, bytes)
        expectSameOutcome([String: Int16].self, bytes)
        expectSameOutcome([String: UInt32].self, bytes)
        expectSameOutcome([String: UInt64].self, bytes)
        expectSameOutcome([String: Float].self, bytes)
        expectSameOutcome([String: Double].self, bytes)
      }
    }
  }

  @Test func `real numbers are decoded to the bit, and as integers without a fraction`() throws {
    let numbers: [Double] = [
      0, -0.0, 0.1, 3, -3, 255, 256, 1e300, -1e-300, .leastNonzeroMagnitude,
      .greatestFiniteMagnitude, .infinity, -.infinity, 0.5, 16_777_217, 9_007_199_254_740_992,
    ]
    for format in WrittenFormat.allCases {
      for number in numbers {
        let bytes = try format.encode(["number": number])
        expectSameOutcome([String: Double].self, bytes)
        expectSameOutcome([String: Float].self, bytes)
        expectSameOutcome([String: Int].self, bytes)
        expectSameOutcome([String: UInt8].self, bytes)
        #expect(DecodingOutcome<[String: Double]>.ours(bytes) == .value(["number": number]))
      }
      let bytes = try format.encode([Double.nan])
      #expect(try decoded([Double].self, bytes)[0].isNaN)
      #expect(try decoded([Float].self, bytes)[0].isNaN)
    }
    try expectSame([Float.leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1, -0.0])
  }

  @Test func `dates within and outside of calendars are decoded`() throws {
    // XML has whole seconds, and years from -4712 to 506713.
    let wholeSeconds = [
      0, 1, -1, 812_345_678, -63_114_076_800, -62_135_596_801, -40_000_000_000, -13_197_513_600,
      // The first second of the Gregorian calendar, and the last one of the Julian calendar.
      -13_197_600_000, -13_197_600_001, 15_927_175_497_600,
    ]
    for seconds in wholeSeconds {
      try expectSame(Date(timeIntervalSinceReferenceDate: TimeInterval(seconds)))
    }
    let others: [TimeInterval] = [0.5, -0.25, 1e20, -1e300, .infinity, -.infinity]
    for seconds in others {
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      let bytes = try WrittenFormat.binary.encode([date])
      #expect(DecodingOutcome<[Date]>.ours(bytes) == .value([date]))
    }
    let bytes = try WrittenFormat.binary.encode([Date(timeIntervalSinceReferenceDate: .nan)])
    #expect(try decoded([Date].self, bytes)[0].timeIntervalSinceReferenceDate.isNaN)
  }

  @Test func `a date before the year 0 is decoded from XML as it was encoded`() throws {
    let date = Date(timeIntervalSinceReferenceDate: -70_000_000_000)

    let bytes = try WrittenFormat.xml.encode([date])

    #expect(String(decoding: bytes, as: UTF8.self).contains("-0218-10-19T19:33:20Z"))
    #expect(DecodingOutcome<[Date]>.ours(bytes) == .value([date]))
    // Foundation's decoder ignores the minus sign.
    #expect(DecodingOutcome<[Date]>.foundation(bytes) != .value([date]))
  }

  @Test func `a date before 1582 is decoded from XML in the calendar in which it was encoded`()
    throws
  {
    let bytes = try WrittenFormat.xml.encode([Date.distantPast])

    // The Julian calendar. The first day of the year 1 in ISO 8601 is two days later.
    #expect(String(decoding: bytes, as: UTF8.self).contains("0001-01-01T00:00:00Z"))
    #expect(DecodingOutcome<[Date]>.ours(bytes) == .value([.distantPast]))
  }

  @Test func `strings of all scripts and with control characters are decoded`() throws {
    let texts = [
      "", "a", "Emma", "Zoë", "図書館", "📚", "e\u{301}", "\u{feff}bom", "\u{0}", "a\u{0}b",
      "\u{1}\u{7f}",
      "\r\n", "\r", "<&>\"'", "]]>", "<![CDATA[x]]>", "<!-- x -->", "&amp;",
      "\u{fffe}\u{ffff}\u{10ffff}",
      "$nul", " $null", "$NULL", String(repeating: "x", count: 14),
      String(repeating: "y", count: 15),
      String(repeating: "ü", count: 70_000),
    ]
    for text in texts { try expectSame(text) }
    try expectSame(texts)
    try expectSame(Dictionary(uniqueKeysWithValues: texts.enumerated().map { ($1, $0) }))
  }

  @Test func `data of all sizes is decoded, and its indices begin at 0`() throws {
    for size in [0, 1, 2, 3, 14, 15, 56, 57, 58, 255, 256, 1_000] {
      let bytes = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
      try expectSame(bytes)
      for format in WrittenFormat.allCases {
        let copy = try decoded([Data].self, try format.encode([bytes]))[0]
        #expect(copy.startIndex == 0)
      }
    }
  }

  @Test(arguments: [Reader.Way.superclass, .key, .element])
  func `a superclass is decoded`(way: Reader.Way) throws {
    let reader = Reader(way)
    reader.name = "Grace"

    for format in WrittenFormat.allCases {
      let copy = try decoded(Reader.self, try format.encode(reader))
      #expect(copy == reader)
      #expect(copy.card == 4711)
    }
  }

  @Test func `wide and empty dictionaries and long arrays are decoded`() throws {
    try expectSame([String: Int]())
    try expectSame([Int]())
    for count in [1, 15, 16, 17, 18, 300] {
      try expectSame(Dictionary(uniqueKeysWithValues: (0..<count).map { ("key \($0)", $0) }))
      try expectSame([Int: Int](uniqueKeysWithValues: (0..<count).map { ($0, -$0) }))
      try expectSame((0..<count).map { ["number": $0, "other": -$0] })
      try expectSame((0..<count).map { $0 % 3 == 0 ? ["a": $0] : ["b": $0, "c": $0] })
    }
  }

  @Test func `nil is decoded in arrays, in dictionaries and as a whole value`() throws {
    try expectSame([Int?.none, 1, nil])
    try expectSame(["a": String?.none, "b": "c"])
    try expectSame([[nil], ["x"]] as [[String?]])
    try expectSame(Optional<Int?>.some(nil))
  }

  @Test func `a value that is alone in a list is decoded`() throws {
    for text in ["<string>Emma</string>", "<integer>3</integer>", "<true/>", "<real>0.5</real>"] {
      let bytes = Data("<plist>\(text)</plist>".utf8)
      expectSameOutcome(String.self, bytes)
      expectSameOutcome(Int.self, bytes)
      expectSameOutcome(Bool.self, bytes)
      expectSameOutcome(Double.self, bytes)
      expectSameOutcome(String?.self, bytes)
      expectSameOutcome([String].self, bytes)
      expectSameOutcome([String: String].self, bytes)
    }
  }

  @Test(arguments: WrittenFormat.allCases)
  func `a decoder that a type stores remains valid`(format: WrittenFormat) throws {
    let late = try decoded(
      [StoredDecoder].self, try format.encode([["title": "Emma"], ["title": "Dune"]]))

    let titles = try late.map { try [String: String](from: $0.decoder) }

    #expect(titles == [["title": "Emma"], ["title": "Dune"]])
    #expect(late[1].decoder.codingPath.map(\.intValue) == [1])
  }

  // MARK: Support

  private func decoded<Value: Decodable>(_ type: Value.Type, _ bytes: Data) throws -> Value {
    try PropertyListDocument(bytes).decode(type)
  }

  private func expectSameOutcome<Value: Decodable & Equatable>(
    _ type: Value.Type, _ bytes: Data, at location: SourceLocation = #_sourceLocation
  ) {
    #expect(
      DecodingOutcome<Value>.ours(bytes) == .foundation(bytes), "\(Value.self)",
      sourceLocation: location)
  }
}
