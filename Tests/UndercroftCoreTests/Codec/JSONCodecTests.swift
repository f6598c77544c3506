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
