import Foundation
import Testing
import UndercroftInspection

@Suite struct EmbeddedJSONTests {
  @Test(arguments: [
    "null", "true", "-0.5e-10", "0", "\"\\u00e9\\n\"", "[]", "{}", "[1,[2,{\"a\":[]}],3]",
    " { \"a\" : 1 , \"a\" : 2 } ", "123456789012345678901234567890",
  ])
  func `valid JSON is embedded and keeps its value`(json: String) throws {
    let text = try #require(EmbeddedJSON(Data(json.utf8))).text

    let options: JSONSerialization.ReadingOptions = .fragmentsAllowed
    let (old, new) = (
      try JSONSerialization.jsonObject(with: Data(json.utf8), options: options),
      try JSONSerialization.jsonObject(with: Data(text.utf8), options: options)
    )
    #expect("\(old)" == "\(new)")
  }

  @Test(arguments: [
    "", " ", "[", "]", "[1,]", "[,1]", "{\"a\"}", "{\"a\":}", "{a:1}", "{\"a\":1,}", "[1 2]",
    "01", "1.", ".5", "+1", "1e", "1e+", "--1", "nul", "True", "NaN", "'a'", "\"a", "\"\\x\"",
    "\"\\u12\"", "\"a\nb\"", "[1}", "1 2", "\"a\":1", "{\"a\":1]", "{1:2}", "[1]]",
  ])
  func `invalid JSON is not embedded`(json: String) {
    #expect(EmbeddedJSON(Data(json.utf8)) == nil)
  }

  @Test func `bytes that are not UTF-8, and JSON of a great depth, are not embedded`() {
    #expect(EmbeddedJSON(Data([0x22, 0xff, 0x22])) == nil)
    #expect(EmbeddedJSON(Data(repeating: UInt8(ascii: "["), count: 100_000)) == nil)
  }

  @Test func `line breaks between tokens are replaced, and control characters are escaped`() throws
  {
    let json = try #require(EmbeddedJSON(Data("[\r\n1,\t\"\u{202e}\"]".utf8))).text

    #expect(json == "[\n  1,\n  \"\\u202e\"\n]")
  }
}
