import DifferentialChecks
import Foundation
import Testing
import UndercroftCore
import UndercroftSync

@Suite struct JSONReaderTests {
  private func read(_ text: String) throws -> JSONValue { try JSONReader.read(Data(text.utf8)) }

  @Test func `JSON text with values of all types and with white space is read`() throws {
    let value = try read(
      #" { "a" : [ null , true , false , -1 , 1.5 , 2e3, "x\u00e9\ud83d\udcda" ] , "b" : { } } "#)

    #expect(
      value
        == .object([
          "a": .array([
            .null, .bool(true), .bool(false), .integer(-1), .real(1.5), .real(2000),
            .string("x\u{e9}\u{1f4da}"),
          ]), "b": .object([:]),
        ]))
  }

  @Test
  func `JSON integers up to 2^53 are read exactly, and numbers with a point or exponent as reals`()
    throws
  {
    #expect(try read("1") == .integer(1))
    #expect(try read("1.0") == .real(1))
    #expect(try read("1e0") == .real(1))
    #expect(try read("-0") == .integer(0))
    #expect(try read("9007199254740992") == .integer(1 << 53))
    #expect(try read("9007199254740993") == .numberOutOfRange)
    #expect(try read("1" + String(repeating: "0", count: 100)) == .numberOutOfRange)
    #expect(try read("1e309") == .numberOutOfRange)
    #expect(try read("1e-999") == .real(0))
  }

  @Test func `JSON member names are distinguished by their bytes`() throws {
    let value = try read("{\"\u{e9}\":1,\"e\u{301}\":2}")

    #expect(value == .object(["\u{e9}": .integer(1), "e\u{301}": .integer(2)]))
  }

  @Test(arguments: [
    "", " ", "{", "[", "[1", "[1,", "[1,]", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{a:1}",
    "{\"a\":1,}", "{\"a\":1,\"a\":2}", "{\"a\" 1}", "[1 2]", "nul", "nulL", "tru", "TRUE", "01",
    "-", "-x", "1.", ".5", "1e", "1e+", "+1", "0x1", "NaN", "Infinity", "\"", "\"\\", "\"\\x\"",
    "\"\\u12\"", "\"\\u12g4\"", "\"\\ud800\"", "\"\\ud800\\n\"", "\"\\ud800\\u0041\"",
    "\"\\udc00\"", "\"\n\"", "\"\u{0}\"", "1 1", "{}}", "//", "\u{feff}1", "'a'",
  ])
  func `text that is not valid JSON is refused`(text: String) {
    #expect(throws: WireError.self) { try read(text) }
  }

  @Test func `JSON text that is not valid UTF-8 is refused`() {
    #expect(throws: WireError.self) { try JSONReader.read(Data([34, 0xFF, 34])) }
    #expect(throws: WireError.self) { try JSONReader.read(Data([34, 0xC3, 34])) }
    #expect(throws: WireError.self) { try JSONReader.read(Data([34, 0xED, 0xA0, 0x80, 34])) }
  }

  @Test func `JSON with more than 32 levels of nesting is refused`() throws {
    func nested(_ depth: Int, around value: String = "") -> String {
      String(repeating: "[", count: depth) + value + String(repeating: "]", count: depth)
    }

    for value in ["", "1", "{}"] {
      let levels = value == "{}" ? 31 : 32
      #expect(throws: Never.self) { try read(nested(levels, around: value)) }
      let error = #expect(throws: WireError.self) { try read(nested(levels + 1, around: value)) }
      #expect(
        error?.reason == "invalid JSON at byte 32: more than 32 arrays and objects are nested")
    }
    let members = String(repeating: "{\"a\":", count: 31) + "{}" + String(repeating: "}", count: 31)
    #expect(throws: Never.self) { try read(members) }
    #expect(throws: WireError.self) { try read("{\"a\":\(members)}") }
    #expect(throws: WireError.self) { try read(nested(1_000_000)) }
    #expect(throws: WireError.self) { try read(String(repeating: "{\"a\":", count: 1_000_000)) }
  }

  @Test func `a JSON number with a million digits is refused`() {
    #expect(throws: WireError.self) { try read("0." + String(repeating: "1", count: 1_000_000)) }
  }

  @Test func `a JSON error contains the offset of the byte at which reading failed`() {
    let error = #expect(throws: WireError.self) { try read("[1,x]") }

    #expect(error?.reason == "invalid JSON at byte 3: expected a JSON value")
  }

  @Test
  func `truncated JSON is refused, and randomly changed JSON is refused or can be round-tripped`()
    throws
  {
    let text = [UInt8](#"{"a":[1,-2.5e3,"x\n\u00e9",{"$b":"AA=="},null,true],"b":{"c":[]}}"#.utf8)

    for length in 0..<text.count {
      #expect(throws: WireError.self) { try JSONReader.read(Data(text[..<length])) }
    }
    var count = 0
    for seed in 0..<UInt64(20_000) {
      let choices = Choices(seed: seed)
      var changed = text
      choices.repeated(atMost: 4) {
        changed[choices.below(changed.count)] = UInt8(choices.below(256))
      }
      guard let value = try? JSONReader.read(Data(changed)) else { continue }
      count += 1
      if value.isExact { #expect(try JSONReader.read(JSONWriter.data(value)) == value) }
    }
    #expect(count > 100)
  }
}

extension JSONValue {
  /// Whether the writer can write the value, because it contains no number that is out of range.
  fileprivate var isExact: Bool {
    switch self {
    case .numberOutOfRange: false
    case .array(let elements): elements.allSatisfy(\.isExact)
    case .object(let members): members.values.allSatisfy(\.isExact)
    default: true
    }
  }
}
