import Foundation
import Testing
import UndercroftCore
import UndercroftTesting

@Suite struct JSONCodecTests {
  private let codec = JSONCodec()

  @Test(arguments: [
    0, 1, -1, 9, 10, 99_999_999_999_999_999, 999_999_999_999_999_999, 1_000_000_000_000_000_000,
    -999_999_999_999_999_999, Int.max, Int.min,
  ])
  func `the JSON codec round-trips integers and encodes them to the same bytes as JSONEncoder`(
    number: Int
  )
    throws
  {
    let bytes = try codec.encode(number)
    #expect(try bytes == JSONEncoder().encode(number))
    #expect(try codec.decode(Int.self, from: bytes) == number)
  }

  @Test(arguments: [
    "0", "-0", "007", "00", "-01", "-", "", " 5", "5 ", "+5", "5.0", "5e2", "0x10", "１", "true",
    "null", "\"5\"", "[5]", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
    "99999999999999999999", "1_000", "--1", "1-", "\u{feff}1",
  ])
  func `the JSON codec's fast path for integers accepts and rejects the same text as JSONDecoder`(
    text: String
  ) {
    let bytes = Data(text.utf8)
    let ours = try? codec.decode(Int.self, from: bytes)
    let theirs = try? JSONDecoder().decode(Int.self, from: bytes)

    #expect(ours == theirs)
  }

  @Test(arguments: ["true", "false", "True", "1", "0", "", " true", "true ", "null", "\"true\""])
  func `the JSON codec's fast path for booleans accepts and rejects the same text as JSONDecoder`(
    text: String
  ) {
    let bytes = Data(text.utf8)
    #expect(
      (try? codec.decode(Bool.self, from: bytes))
        == (try? JSONDecoder().decode(Bool.self, from: bytes)))
  }

  @Test func `the JSON codec encodes random integers to the same bytes as JSONEncoder`() throws {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<500 {
      let number =
        Int.random(in: .min ... .max, using: &random) >> Int.random(in: 0..<64, using: &random)
      let bytes = try JSONEncoder().encode(number)
      #expect(try codec.encode(number) == bytes)
      #expect(try codec.decode(Int.self, from: bytes) == number)
    }
  }

  @Test func `the JSON codec round-trips fragments, dates and data exactly`() throws {
    let date = Date(timeIntervalSinceReferenceDate: 812_345_678.123456)

    #expect(try codec.decode(Date.self, from: codec.encode(date)) == date)
    #expect(try codec.decode(String.self, from: codec.encode("é \" /\u{1}")) == "é \" /\u{1}")
    #expect(try codec.decode(Data.self, from: codec.encode(Data([0, 255]))) == Data([0, 255]))
    #expect(try codec.decode(Double.self, from: codec.encode(0.1)) == 0.1)
    #expect(try codec.decode(UInt64.self, from: codec.encode(UInt64.max)) == UInt64.max)
    #expect(try codec.decode(Bool?.self, from: codec.encode(Bool?.some(true))) == true)
  }

  @Test func `the JSON codec writes objects with sorted keys and unescaped slashes`() throws {
    let bytes = try codec.encode(["b": "x/y", "a": "z"])
    #expect(String(decoding: bytes, as: UTF8.self) == #"{"a":"z","b":"x/y"}"#)
  }
}

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

@Suite struct BytesCodecTests {
  @Test func `the bytes codec stores bytes unchanged`() throws {
    let codec = BytesCodec()

    #expect(try codec.encode(Data([0, 255])) == Data([0, 255]))
    #expect(try codec.encode([UInt8(7)]) == Data([7]))
    #expect(try codec.encode(Data?.some(Data([1]))) == Data([1]))
    #expect(try codec.decode(Data.self, from: Data([3])) == Data([3]))
    #expect(try codec.decode(Data?.self, from: Data([3])) == Data([3]))
    #expect(try codec.decode([UInt8].self, from: Data([3, 4])) == [3, 4])
  }

  @Test func `the bytes codec refuses to encode a string and to decode an integer`() {
    #expect(throws: StorageError.self) { try BytesCodec().encode("text") }
    #expect(throws: StorageError.self) { try BytesCodec().decode(Int.self, from: Data([3])) }
  }
}

@Suite struct StringCodecTests {
  @Test func `the string codec stores strings and the raw values of string enums as UTF-8`() throws
  {
    let codec = StringCodec()

    #expect(try codec.encode("é\u{0}") == Data([0xc3, 0xa9, 0]))
    #expect(try codec.decode(String.self, from: Data([0xc3, 0xa9, 0])) == "é\u{0}")
    #expect(try codec.decode(String?.self, from: Data()) == "")
    #expect(try codec.encode(Theme.dark) == Data("dark".utf8))
    #expect(try codec.decode(Theme.self, from: Data("dark".utf8)) == .dark)
  }

  @Test func `the string codec round-trips an optional enum with string raw values`() throws {
    let codec = StringCodec()
    #expect(try codec.encode(Theme?.some(.dark)) == Data("dark".utf8))
    #expect(try codec.decode(Theme?.self, from: Data("dark".utf8)) == .dark)
  }

  @Test
  func `the string codec rejects invalid UTF-8, unknown raw values and non-string values`() {
    let codec = StringCodec()

    #expect(throws: StorageError.self) { try codec.decode(String.self, from: Data([0xff])) }
    #expect(throws: StorageError.self) { try codec.decode(Theme.self, from: Data("blue".utf8)) }
    #expect(throws: StorageError.self) { try codec.decode(Int.self, from: Data("1".utf8)) }
    #expect(throws: StorageError.self) { try codec.encode(1) }
  }
}

@Suite struct DecodingFailureTests {
  static let codecs: [any Codec] = [JSONCodec(), PropertyListCodec(.xml), PropertyListCodec()]

  @Test(arguments: [
    #"{"book": "confidential-4711", "days": "confidential-4711"}"#,
    #"{"book": {"confidential-4711": 1}}"#, "confidential-4711",
    "<plist><dict><key>days</key><string>confidential-4711</string></dict></plist>",
    "<plist><confidential-4711/></plist>", "<plist><string>&confidential-4711;</string></plist>",
    "<plist><string>a</confidential-4711></plist>", "<plist><string>&#x4711abcd;</string></plist>",
    "<?xml version='1.0' encoding='confidential-4711'?><plist><dict/></plist>",
    "<plist><dict><key>days</key><integer>confidential-4711</integer></dict></plist>",
    "bplist00confidential-4711", "",
  ])
  func `decoding malformed bytes fails with an error that names the key but not the value`(
    text: String
  ) throws {
    for codec in Self.codecs {
      let memory = MemoryBackend()
      var storage = Storage()
      try storage.use(.backend(memory), for: .document)
      let key = StorageKey<Loan?>("loan/1", kind: .document, as: codec)
      try memory.apply([.set("loan/1", Data(text.utf8))])
      let error = #expect(throws: StorageError.self) { try storage.load(key) }
      #expect(error?.code == .decodingFailed)
      #expect(error?.key == "loan/1")
      #expect(error?.backend == codec.name)
      var shown = "\(String(reflecting: error)) \(error?.localizedDescription ?? "")"
      dump(error, to: &shown)
      #expect(!shown.contains("4711"))
      #expect(error?.underlying is CodingFailure)
    }
  }

  @Test(arguments: ["<array>", "<dict><!-- </dict> --><key>a</key>", "<array><![CDATA[</array>]]>"])
  func `decoding a property list with too many nested levels throws an error`(level: String) {
    let bytes = Data(String(repeating: level, count: 100_000).utf8)
    #expect(throws: DecodingError.self) {
      try PropertyListCodec().decode([String: String].self, from: bytes)
    }
  }

  @Test(arguments: [0xaf, 0xdf] as [UInt8])
  func `decoding a binary property list with an object larger than the whole list throws an error`(
    mark: UInt8
  ) {
    var bytes = Data("bplist00".utf8)
    bytes += [mark, 0x13] + [UInt8](repeating: 0x7f, count: 8) + [8]
    // The trailer: sizes of offsets and references, object count, root object, offset of the table.
    bytes += [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1]
    bytes += [UInt8](repeating: 0, count: 15) + [18]

    #expect(throws: DecodingError.self) {
      try PropertyListCodec().decode([String: String].self, from: bytes)
    }
  }

  private final class Shelf: Codable {
    var inner: Shelf?
  }

  @Test(arguments: [NestedCodec.json, .binary, .xml], [10, 500, 600, 5_000])
  func `a codec that can encode a nested value can also decode the encoded value`(
    codec: NestedCodec, depth: Int
  ) throws {
    var shelf = Shelf()
    for _ in 1..<depth {
      let outer = Shelf()
      outer.inner = shelf
      shelf = outer
    }
    guard let bytes = try? codec.codec.encode(shelf) else {
      #expect(depth > 512)
      return
    }
    var found = 1
    var next = try codec.codec.decode(Shelf.self, from: bytes).inner
    while let shelf = next {
      found += 1
      next = shelf.inner
    }
    #expect(found == depth)
  }

  enum NestedCodec: CaseIterable {
    case json, binary, xml

    var codec: any Codec {
      switch self {
      case .json: .json
      case .binary: .binaryPropertyList
      case .xml: .propertyList
      }
    }
  }

  @Test(arguments: [
    (String(repeating: "[", count: 600), "the JSON is nested more than 512 levels deep", 0),
    (
      String(repeating: "<array>", count: 8_193) + String(repeating: "</array>", count: 8_193),
      "the property list is nested more than 8192 levels deep", 1
    ),
    (
      "<plist><dict>\n<key>book</key><string>Emma</key></dict></plist>",
      "an end tag does not match the start tag \"string\" (line 2, column 28)", 1
    ),
    ("bplist00", "the file ends early; its trailer is missing (byte 8)", 2),
    ("\0", "the bytes are neither a property list nor text in UTF-8 or UTF-16", 1),
  ])
  func
    `the error for bytes that a codec rejects states the reason and suggests replacing the value`(
      text: String, reason: String, codec: Int
    ) throws
  {
    let memory = MemoryBackend()
    var storage = Storage()
    try storage.use(.backend(memory), for: .document)
    let key = StorageKey<Loan?>("loan/1", kind: .document, as: Self.codecs[codec])
    try memory.apply([.set("loan/1", Data(text.utf8))])

    let error = #expect(throws: StorageError.self) { try storage.load(key) }

    #expect(error?.code == .decodingFailed)
    #expect(error?.message.hasPrefix("cannot decode Optional<Loan>: \(reason); ") == true)
    #expect(error?.suggestion?.contains("replace the value") == true)
    #expect((error?.underlying as? CodingFailure)?.description == reason)
  }

  @Test
  func `the error for JSON with a byte order mark and invalid UTF-16 states the reason`()
    throws
  {
    let memory = MemoryBackend()
    var storage = Storage()
    try storage.use(.backend(memory), for: .document)
    // The byte order mark of UTF-16, and half of a surrogate pair.
    try memory.apply([.set("loan/1", Data([0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00]))])

    let error = #expect(throws: StorageError.self) { try storage.load(.loan(1)) }

    #expect(error?.code == .decodingFailed)
    #expect(error?.message.contains("encoding that the first bytes indicate") == true)
  }

  /// A codec that throws the same error for every value.
  private struct FailingCodec: Codec {
    let error: StorageError
    var name: String { "failing" }

    func encode<Value: Encodable>(_ value: Value) throws -> Data { throw error }

    func decode<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value {
      throw error
    }
  }

  @Test(arguments: [
    StorageError.Code.unavailable, .locked, .accessDenied, .insecurePermissions, .wrongKey, .full,
    .io, .interrupted,
  ])
  func `load and save preserve the code and the suggestion of a codec error such as locked or io`(
    code: StorageError.Code
  ) throws {
    for suggestion in [nil, "run fewer threads"] {
      let memory = MemoryBackend()
      var storage = Storage()
      try storage.use(.backend(memory), for: .document)
      try memory.apply([.set("loan/1", Data("{}".utf8))])
      let codec = FailingCodec(
        error: StorageError(code, "no thread can be started", suggestion: suggestion))
      let key = StorageKey<Loan?>("loan/1", kind: .document, as: codec)

      let loading = #expect(throws: StorageError.self) { try storage.load(key) }
      let saving = #expect(throws: StorageError.self) {
        try storage.save(Loan(book: "Emma", days: 7), for: key)
      }

      for error in [loading, saving] {
        #expect(error?.code == code)
        #expect(error?.suggestion == suggestion)
        #expect(error?.backend == "failing")
        #expect(error?.key == "loan/1")
      }
      #expect(loading?.message.hasPrefix("cannot decode Optional<Loan>: no thread") == true)
      #expect(saving?.message.hasPrefix("cannot encode Optional<Loan>: no thread") == true)
    }
  }

  @Test(arguments: [StorageError.Code.corrupted, .notSupported, .tooLarge, .misuse])
  func `load and save report a codec error such as .corrupted as decodingFailed or encodingFailed`(
    code: StorageError.Code
  ) throws {
    let memory = MemoryBackend()
    var storage = Storage()
    try storage.use(.backend(memory), for: .document)
    try memory.apply([.set("loan/1", Data("{}".utf8))])
    let codec = FailingCodec(error: StorageError(code, "the bytes have a wrong checksum"))
    let key = StorageKey<Loan?>("loan/1", kind: .document, as: codec)

    let loading = #expect(throws: StorageError.self) { try storage.load(key) }
    let saving = #expect(throws: StorageError.self) {
      try storage.save(Loan(book: "Emma", days: 7), for: key)
    }

    #expect(loading?.code == .decodingFailed)
    #expect(saving?.code == .encodingFailed)
  }

  @Test func `a decoding error names the missing or mistyped field`() throws {
    let memory = MemoryBackend()
    var storage = Storage()
    try storage.use(.backend(memory), for: .document)
    try memory.apply([.set("loan/1", Data(#"{"book":"Emma"}"#.utf8))])
    let missing = #expect(throws: StorageError.self) { try storage.load(.loan(1)) }
    #expect(missing?.message.contains(#""days" is missing"#) == true)

    try memory.apply([.set("loan/1", Data(#"{"book":"Emma","days":"ten"}"#.utf8))])
    let wrong = #expect(throws: StorageError.self) { try storage.load(.loan(1)) }
    #expect(wrong?.message.contains(#""days" does not have the type Int"#) == true)
  }

  @Test func `a decoding error does not show the dictionary keys of the value`() throws {
    for codec in Self.codecs {
      let memory = MemoryBackend()
      var storage = Storage()
      try storage.use(.backend(memory), for: .document)
      let readers = StorageKey<[[String: String]]?>("readers", kind: .document, as: codec)
      try storage.save([[:], ["card 4711": "Ada", "4711": "Ada"]], for: readers)
      let wrong = StorageKey<[[String: Int]]?>("readers", kind: .document, as: codec)

      let error = #expect(throws: StorageError.self) { try storage.load(wrong) }
      #expect(error?.code == .decodingFailed)
      #expect(error.map { "\($0)" }?.contains("4711") == false)
    }
  }

  /// A value whose encoding throws errors that quote it.
  private struct Card: Codable {
    struct Refusal: Error { let number: String }

    var number = "confidential-4711"
    var throwsItsOwn = false

    func encode(to encoder: any Encoder) throws {
      if throwsItsOwn { throw Refusal(number: number) }
      throw EncodingError.invalidValue(
        number, .init(codingPath: [], debugDescription: "\(number) has no form"))
    }
  }

  @Test(arguments: [false, true])
  func `if encoding a value throws, the error names the key but not the value`(
    throwsItsOwn: Bool
  ) throws {
    for codec in Self.codecs {
      var storage = Storage()
      try storage.use(.backend(MemoryBackend()), for: .document)
      let key = StorageKey<Card?>("card", kind: .document, as: codec)

      let error = #expect(throws: StorageError.self) {
        try storage.save(Card(throwsItsOwn: throwsItsOwn), for: key)
      }

      #expect(error?.code == .encodingFailed)
      #expect(error?.key == "card")
      var shown = "\(String(reflecting: error)) \(error?.localizedDescription ?? "")"
      dump(error, to: &shown)
      #expect(!shown.contains("4711"))
      #expect(error?.underlying is CodingFailure)
    }
  }

  @Test func `saving NaN as JSON throws an error that names the key`() throws {
    let storage = try library(.preference)
    let key = StorageKey<Double>("ratio", kind: .preference, default: 0)

    let error = #expect(throws: StorageError.self) { try storage.save(.nan, for: key) }

    #expect(error?.code == .encodingFailed)
    #expect(error?.key == "ratio")
  }
}
