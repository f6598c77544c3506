import Foundation
import Testing
import UndercroftCore

/// Tests of the errors for values that a codec cannot decode or encode, which are not shown.
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
}
