import Foundation
import Testing
import UndercroftInspection

@Suite struct JSONDefectTests {
  @Test(arguments: [
    ("{bad", 1, 2), ("{\n  \"due\": 14,\n  lent\n}", 3, 3), ("[\"é\", x]", 1, 7), ("[1 2]", 1, 4),
    ("[01]", 1, 2), ("{\"due\": \"\\x\"}", 1, 9), ("dark", 1, 1), ("{}}", 1, 3),
  ])
  func `a text that is not JSON has the line and column of the first wrong token`(
    text: String, line: Int, column: Int
  ) throws {
    let defect = try #require(JSONDefect(in: Data(text.utf8)))

    #expect(defect.line == line && defect.column == column && !defect.isEnd, "\(defect)")
    #expect("\(defect)" == "see line \(line), column \(column)")
  }

  @Test(arguments: [("", 1, 1), ("{\"due\":", 1, 8), ("[1,\n", 2, 1)])
  func `an incomplete text has the place of its end`(
    text: String, line: Int, column: Int
  ) throws {
    let defect = try #require(JSONDefect(in: Data(text.utf8)))

    #expect(defect.line == line && defect.column == column && defect.isEnd, "\(defect)")
    #expect("\(defect)" == "the text ends in line \(line), column \(column)")
  }

  @Test func `JSON, and bytes that are not UTF-8, have no such place`() {
    for text in ["{\"due\": [1, 2.5e3, null]}", " \"dark\" ", "7"] {
      #expect(JSONDefect(in: Data(text.utf8)) == nil, "\(text)")
    }
    #expect(JSONDefect(in: Data([0xff, 0xfe])) == nil)
  }
}
