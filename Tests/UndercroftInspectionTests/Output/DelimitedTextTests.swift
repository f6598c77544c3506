import Testing
import UndercroftInspection

@Suite struct DelimitedTextTests {
  @Test(arguments: [
    ("", ""), ("Dune", "Dune"), ("Dune; Messiah", "\"Dune; Messiah\""), ("a,b", "\"a,b\""),
    ("\"Dune\"", "\"\"\"Dune\"\"\""), ("\"\u{301}", "\"\"\"\u{301}\""), ("a\nb", "\"a\nb\""),
    ("a\r\nb", "\"a\r\nb\""), ("a\rb", "\"a\rb\""), (" a", "\" a\""), ("a ", "\"a \""),
    ("a\tb", "\"a\tb\""),
  ])
  func `a field of comma-separated values is quoted only if that is necessary`(
    field: String, quoted: String
  ) {
    #expect(Array(DelimitedText.csvField(field).utf8) == Array(quoted.utf8))
  }

  @Test(arguments: [
    ("", ""), ("Dune", "Dune"), ("a,\"b\"", "a,\"b\""), ("a\tb", "a\\tb"), ("a\nb", "a\\nb"),
    ("a\r\nb", "a\\r\\nb"), ("a\\tb", "a\\\\tb"), ("\\", "\\\\"), ("\t\u{301}", "\\t\u{301}"),
  ])
  func `a field of tab-separated values contains escapes instead of tabs and line breaks`(
    field: String, escaped: String
  ) {
    #expect(Array(DelimitedText.tsvField(field).utf8) == Array(escaped.utf8))
  }

  @Test func `a protected formula is quoted after the apostrophe`() {
    let field = DelimitedText.csvField(SpreadsheetText.safe("=A1,\"B\""))

    #expect(field == "\"'=A1,\"\"B\"\"\"")
  }
}
