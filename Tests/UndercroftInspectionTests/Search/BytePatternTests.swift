import Testing
import UndercroftInspection

/// Tests of a text that is searched in bytes.
@Suite struct BytePatternTests {
  @Test(
    arguments: [
      ("42", true), ("-1.5e+20", true), ("inf", true), ("nan", true), ("E", false),
      ("shelf", false),
    ])
  func `a pattern knows whether a number can contain it`(text: String, expected: Bool) {
    #expect(BytePattern(text).mayMatchNumbers == expected)
    #expect(!BytePattern("4 2", ignoresCase: true).mayMatchNumbers)
    #expect(BytePattern("E", ignoresCase: true).mayMatchNumbers)
  }
}
