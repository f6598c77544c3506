import Foundation
import Testing
import UndercroftCore

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
