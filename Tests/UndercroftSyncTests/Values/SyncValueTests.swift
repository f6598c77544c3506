import DifferentialChecks
import Foundation
import Testing
import UndercroftCore
import UndercroftSync

@Suite struct SyncValueTests {
  /// Encodes a value, and returns the decoded value as another replica receives it.
  private func sent(_ value: SyncValue) throws -> SyncValue {
    try SyncValue(json: try JSONReader.read(JSONWriter.data(value.json)))
  }

  private static let integers: [Int64] = [
    0, .min, .max, 1 << 53, (1 << 53) + 1, -(1 << 53), -(1 << 53) - 1,
  ]

  private static let reals: [Double] = [
    0, -0.0, 1, 0.1 + 0.2, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .leastNormalMagnitude,
    .greatestFiniteMagnitude,
    .infinity, -.infinity, 1e16,
  ]

  private static let texts = [
    "", "Dune", "\"\\/\u{8}\u{c}\n\r\t\u{1}\u{7f}\u{2028}\u{feff}", "a\0b", "\0", "e\u{301}",
    "\u{e9}", "\u{10ffff}\u{1f4da}",
  ]

  private static let others: [SyncValue] = [
    .null, .malformedText(Data([0xFF])), .malformedText(Data([0x61, 0, 0xC3])), .blob(Data()),
    .blob(Data([0, 255, 10])), .encrypted(EncryptedValue(keyNumber: 1, bytes: Data())),
    .encrypted(EncryptedValue(keyNumber: .max, bytes: Data([0, 255]))),
  ]

  @Test(
    arguments: integers.map { SyncValue.integer($0) } + reals.map { SyncValue.real($0) }
      + texts.map { SyncValue.text($0) } + others)
  func `a sent value arrives with the same type and the same bytes`(value: SyncValue) throws {
    #expect(try sent(value) == value)
  }

  @Test func `random values arrive with the same type and the same bytes`() throws {
    for seed in 0..<UInt64(20_000) {
      let value = Self.value(Choices(seed: seed))

      #expect(try sent(value) == value, "seed \(seed)")
    }
  }

  private static func value(_ choices: Choices) -> SyncValue {
    switch choices.below(6) {
    case 0: return .integer(Int64(truncatingIfNeeded: choices.bits()))
    case 1: return .integer(Int64(truncatingIfNeeded: choices.bits()) >> choices.below(64))
    case 2:
      let real = Double(bitPattern: choices.bits())
      return real.isNaN ? .null : .real(real)
    case 3:
      let scalars = choices.list(atMost: 20) { Unicode.Scalar(UInt32(choices.below(0x11_0000))) }
      return .text(String(String.UnicodeScalarView(scalars.compactMap(\.self))))
    case 4:
      return SyncValue(
        textBytes: Data(
          choices.list(atMost: 20) { UInt8(choices.pick([0, 34, 92, 195, 169, 255])) }))
    default: return .blob(Data(choices.list(atMost: 20) { UInt8(choices.below(256)) }))
    }
  }

  @Test func `NaN is sent as NULL because SQLite stores NaN as NULL`() throws {
    #expect(try sent(.real(.nan)) == .null)
    #expect(try sent(.real(.signalingNaN)) == .null)
  }

  @Test func `text bytes that are valid UTF-8 become text, and other bytes become malformed text`()
  {
    #expect(SyncValue(textBytes: Data("Dune".utf8)) == .text("Dune"))
    #expect(SyncValue(textBytes: Data([0xC3])) == .malformedText(Data([0xC3])))
  }

  @Test func `two values are equal only if their types and bytes are equal`() {
    let values: [SyncValue] = [
      .null, .integer(0), .real(0), .real(-0.0), .text(""), .text("\u{e9}"), .text("e\u{301}"),
      .blob(Data()), .malformedText(Data([0xFF])), .blob(Data([0xFF])),
      .encrypted(EncryptedValue(keyNumber: 1, bytes: Data([0xFF]))),
      .encrypted(EncryptedValue(keyNumber: 2, bytes: Data([0xFF]))),
    ]

    #expect(Set(values).count == values.count)
  }

  @Test(arguments: [
    "true", "[]", "{}", #"{"$b":"AA==","$t":"AA=="}"#, #"{"$b":1}"#, #"{"$b":"A"}"#,
    #"{"$i":"+5"}"#, #"{"$i":"9223372036854775808"}"#, #"{"$i":"x"}"#, #"{"$r":"nan"}"#,
    "9007199254740993", "1e999", "-1e999", #"{"$e":1}"#, #"{"$e":""}"#, #"{"$e":"k1"}"#,
    #"{"$e":"k.AA=="}"#, #"{"$e":"k0.AA=="}"#, #"{"$e":"k01.AA=="}"#, #"{"$e":"k+1.AA=="}"#,
    #"{"$e":"k4294967296.AA=="}"#, #"{"$e":"k1.AA==.AA=="}"#, #"{"$e":"1.AA=="}"#,
    #"{"$e":"k1.A"}"#, #"{"$e":"é1.AA=="}"#, #"{"$e":"k1.AA==","$b":"AA=="}"#,
  ])
  func `JSON that does not encode a value is refused`(text: String) throws {
    let json = try JSONReader.read(Data(text.utf8))

    #expect(throws: WireError.self) { try SyncValue(json: json) }
  }

  @Test func `a value of an unknown type is refused with the code notSupported`() throws {
    let json = try JSONReader.read(Data(#"{"$blob":"k1.AA=="}"#.utf8))

    let error = #expect(throws: WireError.self) { try SyncValue(json: json) }

    #expect(error?.code == .notSupported)
    #expect(
      error?.reason
        == "this version of the library does not support values of the type \"$blob\"")
  }
}
