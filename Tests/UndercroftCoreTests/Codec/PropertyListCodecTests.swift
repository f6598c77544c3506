import Foundation
import Testing
import UndercroftCore

@Suite struct PropertyListCodecTests {
  @Test(arguments: [PropertyListCodec.Format.binary, .xml])
  func `the property list codec round-trips single values, arrays and structures`(
    format: PropertyListCodec.Format
  ) throws {
    let codec = PropertyListCodec(format)
    func check<Value: Codable & Equatable>(_ value: Value) throws {
      let bytes = try codec.encode(value)
      #expect(try codec.decode(Value.self, from: bytes) == value)
    }
    try check("Emma")
    try check(String?.some("Emma"))
    try check("")
    try check(42)
    try check(Int8(-3))
    try check(UInt32.max)
    try check(Int.min)
    try check(true)
    try check(0.1)
    try check(Float(1.5))
    try check(Date(timeIntervalSinceReferenceDate: 800_000_000))
    try check(Data([0, 1, 255]))
    try check(Theme.dark)
    try check(["a", "b"])
    try check([String]())
    try check(["value": "of a dictionary"])
    try check("a\u{0}\r\nb")
    try check("$nullable")
    try check(["$null": 1])
    try check(["CF$UID": 3])
    try check([Date.distantPast, .distantFuture])
    // Decoding visits one object 100,000 times.
    try check([Bool](repeating: true, count: 100_000))
    try check(Loan(book: "Emma & <Sense>", days: 14, note: nil))
    try check([Loan(book: "図書館", days: -1, note: "n")])
  }

  @Test
  func `a property list codec decodes XML and binary, whichever format the codec writes`()
    throws
  {
    let loan = Loan(book: "Emma", days: 3)
    for (writer, reader) in [
      (PropertyListCodec(.xml), PropertyListCodec(.binary)), (.init(), .init(.xml)),
    ] {
      #expect(try reader.decode(Loan.self, from: writer.encode(loan)) == loan)
      #expect(try reader.decode(Int.self, from: writer.encode(5)) == 5)
    }
  }

  @Test func `an old-style property list is decoded, in UTF-8 and in UTF-16`() throws {
    let text = "// a book\n{ book = \"\\U56f3 Emma\"; days = \"14\"; }"
    let expected = ["book": "\u{56f3} Emma", "days": "14"]

    for encoding in [String.Encoding.utf8, .utf16] {
      let bytes = try #require(text.data(using: encoding))
      #expect(try PropertyListCodec().decode([String: String].self, from: bytes) == expected)
    }
    let strings = Data("title = Emma;".utf8)
    #expect(
      try PropertyListCodec().decode([String: String].self, from: strings) == ["title": "Emma"])
    #expect(try PropertyListCodec().decode(String.self, from: Data("Emma".utf8)) == "Emma")
  }

  @Test(arguments: [8, 9, 12, 40])
  func `the beginning of a binary property list is an error, and no old-style text`(count: Int)
    throws
  {
    let bytes = try PropertyListCodec().encode("Emma")

    #expect(throws: DecodingError.self) {
      try PropertyListCodec().decode(String.self, from: Data(bytes.prefix(count)))
    }
  }

  @Test func `XML and binary property lists begin with different signatures`() throws {
    #expect(try PropertyListCodec(.xml).encode([1]).starts(with: Data("<?xml".utf8)))
    #expect(try PropertyListCodec(.binary).encode([1]).starts(with: Data("bplist00".utf8)))
    #expect(PropertyListCodec(.xml).name == "plist-xml")
    #expect(PropertyListCodec().name == "plist-binary")
  }
}
