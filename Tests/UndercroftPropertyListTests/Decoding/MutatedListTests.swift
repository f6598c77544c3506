import Foundation
import Testing
import UndercroftPropertyList
import UndercroftTesting

/// Tests that damaged lists are decoded as Foundation's decoder decodes them, apart from a list of
/// causes.
@Suite struct MutatedListTests {
  private struct Shelf: Codable {
    struct Loan: Codable {
      var book: String
      var days: Int
      var note: String?
    }

    var name = "fiction"
    var loans = [
      Loan(book: "Emma & <Sense>", days: 14, note: nil),
      Loan(book: "\u{56f3}\u{66f8}", days: 3, note: "n"),
      Loan(book: "Dune", days: 300, note: "nn"),
    ]
    var seals = ["a": Data([0, 255]), "b": Data()]
    var dates = [Date(timeIntervalSinceReferenceDate: 800_000_000)]
    var ratio = 0.1
    var isOpen = true
    var readers = UInt64.max
    var change = -70_000
  }

  /// The reasons for which a list is refused that Foundation decodes.
  private static let refusals: [WrittenFormat: [String]] = [
    .binary: [
      // Foundation ignores the high half of an integer of 16 bytes.
      "does not fit in",
      // Foundation takes a short list, or one of another version, for an old-style list.
      "the file ends early; its trailer is missing", "the version of the binary format is unknown",
      // Foundation reads an object inside of the magic number.
      "but objects are between byte",
      // A reference that Foundation does not follow.
      "contains itself", "overlap each other",
      // An inserted element makes the list an XML list, of which Foundation decodes the element.
      "the outermost element is a key",
    ],
    .xml: [
      // Foundation ignores text that is not Base64, and lacks the bytes that it would complete.
      "not valid Base64 with padding",
      // Foundation carries impossible months over, and accepts years of any number of digits.
      "the text of the element date is not a date",
      // Foundation takes control characters for white space.
      "is not an integer of at most 128 bits",
      // The beginning of the file is damaged, and Foundation decodes the first complete element.
      "the text continues after the end of the outermost element",
      "the outermost element is a key",
      // Foundation takes a key for a value, so that all following values are shifted.
      "a key of the dictionary has no value", "a key is outside of a dictionary",
      "the last key of the dictionary has no value",
      // Foundation ignores text between elements.
      "contains text where only elements may be",
      // A tag has lost its end, and Foundation ends it with the following tag.
      "a tag is inside of another tag",
      // Foundation decodes an empty reference as NUL.
      "a character reference is not a character",
      // Foundation takes "<?>" for a complete instruction.
      "a processing instruction has no name",
      // An element plist is inside of another one.
      "an element plist is inside of another element",
    ],
  ]

  /// The messages of Foundation for lists that are decoded here.
  private static let acceptances: [WrittenFormat: [String]] = [
    .binary: [
      // The offset of an object to which no reference leads.
      "Corrupt top-level info",
      // A string of ASCII is UTF-8, as some programs write it.
      "Unable to read string",
      // A negative integer of 16 bytes.
      "does not fit in",
    ],
    .xml: [
      // A quoted text of a tag or of the document type contains ">", or a text contains a comment.
      "Encountered unexpected character", "Encountered improper CDATA opening",
      "Close tag on line",
      // White space after a number, and around a date.
      "Invalid <integer> value", "Encountered misformatted real", "Could not interpret <date>",
      "Encountered empty <data>", "Encountered unknown encoding", "Could not interpret <data>",
      // A text that begins with `$null`.
      "while looking for close tag for",
    ],
  ]

  @Test(arguments: WrittenFormat.allCases, 1...4)
  func `a damaged list differs from Foundation only for a known cause`(
    format: WrittenFormat, seed: Int
  ) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let sound = try format.encode(Shelf())
    var equal = 0
    for _ in 0..<1_000 {
      let bytes = mutate(sound, format, using: &random)
      guard PropertyListDocument.isDocument(bytes), isSafe(bytes) else { continue }
      switch (Result { try ours(bytes) }, Result { try foundation(bytes) }) {
      case (.success(let value), .success(let expected)):
        #expect(value == expected, "\(shown(bytes))")
        equal += 1
      case (.failure, .failure): break
      case (.failure(let error), .success): expect(error, Self.refusals[format], bytes)
      case (.success, .failure(let error)): expect(error, Self.acceptances[format], bytes)
      }
    }
    #expect(equal > 50)
  }

  private func ours(_ bytes: Data) throws -> AnyValue {
    let document = try PropertyListDocument(bytes)
    _ = try document.nestingDepth()
    return try document.decode(AnyValue.self)
  }

  private func foundation(_ bytes: Data) throws -> AnyValue {
    // Foundation's decoder does not end for a list that contains itself.
    let document = try? PropertyListDocument(bytes)
    _ = try document?.nestingDepth()
    return try PropertyListDecoder().decode(AnyValue.self, from: bytes)
  }

  /// Returns whether Foundation's decoder reads a list without leaving its bytes.
  ///
  /// Foundation verifies only half of the size of a string in UTF-16.
  private func isSafe(_ bytes: Data) -> Bool {
    guard let document = try? PropertyListDocument(bytes), document.format == .binary else {
      return true
    }
    for number in 0..<document.objectCount {
      do {
        _ = try document.value(at: PropertyListReference(number: number))
      } catch {
        if error.reason.contains("does not fit into") { return false }
      }
    }
    return true
  }

  private func expect(_ error: any Error, _ causes: [String]?, _ bytes: Data) {
    let text: String
    switch error {
    case DecodingError.dataCorrupted(let context):
      let underlying = context.underlyingError.map { "\($0)" } ?? ""
      text = "\(context.debugDescription) \(underlying)"
    default: text = "\(error)"
    }
    let isKnown = (causes ?? []).contains { text.contains($0) }
    #expect(isKnown, "\(text): \(shown(bytes))")
  }

  private func shown(_ bytes: Data) -> String { String(decoding: bytes, as: UTF8.self) }

  private static let insertions: [[UInt8]] =
    [
      "<>", "<array>", "</dict>", "<!--", "-->", "<?", "<![CDATA[", "]]>", "(", "<string>",
      "</string>", "\"",
      "&amp;", "&#;", "<true/>", " ", "/", "<key>a</key>", "$null",
    ].map { Array($0.utf8) } + [[0], [0xff], [0x7f, 0xff]]

  private func mutate(
    _ sound: Data, _ format: WrittenFormat, using random: inout SeededGenerator
  ) -> Data {
    var bytes = sound
    for _ in 0..<Int.random(in: 1...2, using: &random) {
      let offset = Int.random(in: 0..<max(bytes.count, 1), using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: bytes = bytes.prefix(offset)
      case 1:
        bytes.insert(contentsOf: Self.insertions.randomElement(using: &random) ?? [], at: offset)
      case 2: bytes = bytes.prefix(offset) + bytes.dropFirst(offset + 1)
      case 3:
        let count = Int.random(in: 1...40, using: &random)
        bytes = bytes.prefix(offset) + bytes.dropFirst(offset + count)
      case 4:
        let count = Int.random(in: 1...40, using: &random)
        bytes.insert(
          contentsOf: Data(bytes.dropFirst(offset).prefix(count)),
          at: Int.random(in: 0...bytes.count, using: &random))
      case 5: bytes[offset] = UInt8.random(in: 0...255, using: &random)
      default: bytes[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
      bytes = Data(bytes)
      if bytes.isEmpty { return sound }
    }
    return bytes
  }
}
