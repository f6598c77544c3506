import Testing
import UndercroftInspection

@Suite struct SpreadsheetTextTests {
  @Test(arguments: [
    "=1+1", "+1+1", "-1+1", "@SUM(A1)", "=HYPERLINK(\"https://library.example\")",
    "=cmd|' /C calc'!A0",
    "\tDune", "\rDune", "\nDune", "\r\n=1", " =1", "   +A1", "\"=1\"", "'=1", "\u{a0}=1",
    "\u{feff}=1",
    "\u{200b}-A1", "“=1”", "＝1", "＋1", "－1", "＠A1", "﹦1", "\u{2212}A1", "-", "--5", "-5-3",
    "+44 20 79",
    "-1,5", "-1e", "-.", "+e5", "-5 ", " -5", "-5%", "-0x10", "-inf", "=\u{301}1", "-\u{661}",
  ])
  func `a field that could be a formula gets an apostrophe`(field: String) {
    #expect(Array(SpreadsheetText.safe(field).utf8) == Array("'\(field)".utf8))
  }

  @Test(arguments: [
    "", " ", "Dune", "1=1", "a-b", "5", "-5", "+5", "-5.25", "+3.2e4", "-.5", "-5.", "1e-7",
    "-1E+10",
    "ada@library.example", "2026-11-27", "'", "\"Dune\"", "…=1", "(-5)", "#N/A",
  ])
  func `a plain number and ordinary text remain unchanged`(field: String) {
    #expect(SpreadsheetText.safe(field) == field)
  }
}
