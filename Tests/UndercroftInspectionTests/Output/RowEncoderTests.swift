import Foundation
import Testing
import UndercroftInspection

@Suite struct RowEncoderTests {
  private static let columns = ["title", "loans", "cover"]
  private static let rows: [[ResultValue]] = [
    [.text("Emma"), .integer(12), .bytes(Data([0, 255]))],
    [.text("Dune, \"1965\""), .null, .absent],
  ]

  private func text(_ format: OutputFormat, _ change: (inout OutputOptions) -> Void = { _ in })
    -> String
  {
    var options = OutputOptions()
    change(&options)
    return format.text(Self.columns, Self.rows, options)
  }

  @Test func `a table aligns columns and shows NULL as a dot and missing values as a dash`() {
    #expect(
      text(.table) == """
        title         loans  cover
        Emma             12  x'00ff'
        Dune, "1965"      ·  -

        """)
  }

  @Test func `a table shortens its widest column to the width of the terminal`() {
    let lines = text(.table) { $0.width = 24 }.split(separator: "\n")

    #expect(lines.allSatisfy { $0.count <= 24 })
    #expect(lines[2].contains("…"))
  }

  @Test func `a table measures the columns of East Asian characters`() {
    let table = OutputFormat.table.text(
      ["a", "b"], [[.text("書"), .text("x")], [.text("ab"), .text("y")]])

    #expect(table == "a   b\n書  x\nab  y\n")
  }

  @Test func `a table without rows is empty unless it shows the rows of a query`() {
    var options = OutputOptions()
    #expect(OutputFormat.table.text(["title"], [], options).isEmpty)

    options.isTabular = true
    #expect(OutputFormat.table.text(["title"], [], options) == "title\n")
  }

  @Test func `JSON is an array of objects without members for missing values`() throws {
    let rows = try #require(
      try JSONSerialization.jsonObject(with: Data(text(.json).utf8)) as? [[String: Any]])

    #expect(rows.count == 2)
    #expect(rows[0]["loans"] as? Int == 12)
    #expect(rows[0]["cover"] as? [String: String] == ["base64": "AP8="])
    #expect(rows[1]["loans"] is NSNull)
    #expect(rows[1]["cover"] == nil)
  }

  @Test func `JSON of a query contains the columns once and preserves equal names`() throws {
    var options = OutputOptions()
    options.isTabular = true
    let json = OutputFormat.json.text(["id", "id"], [[.integer(1), .integer(2)]], options)

    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    #expect(object["columns"] as? [String] == ["id", "id"])
    #expect(object["rows"] as? [[Int]] == [[1, 2]])
  }

  @Test func `ndjson has one object on each line and numbers equal names of columns`() {
    let text = OutputFormat.ndjson.text(["id", "id"], [[.integer(1), .integer(2)]])

    #expect(text == #"{"id":1,"id:2":2}"# + "\n")
  }

  @Test func `JSON without rows is a valid empty array`() throws {
    let text = OutputFormat.json.text(["title"], [])

    #expect(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String] == [])
  }

  @Test func `JSON represents numbers that are infinite or not a number as objects`() throws {
    let text = OutputFormat.ndjson.text(["n"], [[.real(.infinity)], [.real(.nan)]])

    #expect(text == #"{"n":{"number":"inf"}}"# + "\n" + #"{"n":{"number":"nan"}}"# + "\n")
  }

  @Test func `JSON escapes characters that control a terminal`() throws {
    let text = OutputFormat.ndjson.text(["a\u{1b}"], [[.text("\u{202e}\u{1f600}\n\"")]])

    #expect(!text.dropLast().unicodeScalars.contains { $0.value < 32 || $0 == "\u{202e}" })
    let row = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: String])
    #expect(row == ["a\u{1b}": "\u{202e}\u{1f600}\n\""])
  }

  @Test func `CSV quotes fields and ends lines with a carriage return and a line feed`() {
    #expect(text(.csv) == "title,loans,cover\r\nEmma,12,00ff\r\n\"Dune, \"\"1965\"\"\",,\r\n")
  }

  @Test func `CSV that is safe for spreadsheets contains no formula`() {
    var options = OutputOptions()
    options.isSafeForSpreadsheets = true
    let rows: [[ResultValue]] = [[.text("=1+1")], [.integer(-5)]]

    #expect(OutputFormat.csv.text(["n"], rows, options) == "n\r\n'=1+1\r\n-5\r\n")
  }

  @Test func `a Markdown table escapes separators and HTML`() {
    let text = OutputFormat.markdown.text(["a|b"], [[.text("<script>")]])

    #expect(text == "| a\\|b |\n|---|\n| &lt;script&gt; |\n")
  }

  @Test func `SQL statements quote names and texts`() {
    var options = OutputOptions()
    options.table = "my \"book\""
    let text = OutputFormat.sql.text(
      ["title"], [[.text("Ada's")], [.bytes(Data([1]))], [.null], [.text("a\0b")]], options)

    #expect(
      text == #"""
        INSERT INTO "my ""book""" ("title") VALUES ('Ada''s');
        INSERT INTO "my ""book""" ("title") VALUES (x'01');
        INSERT INTO "my ""book""" ("title") VALUES (NULL);
        INSERT INTO "my ""book""" ("title") VALUES (CAST(x'610062' AS TEXT));

        """#)
  }

  @Test func `SQL statements double a quotation mark before a combining mark`() {
    var options = OutputOptions()
    options.table = "book\"\u{301}"

    let text = OutputFormat.sql.text(
      ["title\"\u{308}"], [[.text("Ada'\u{301}); DROP TABLE book; --")]], options)

    let expected = """
      INSERT INTO "book""\u{301}" ("title""\u{308}") \
      VALUES ('Ada''\u{301}); DROP TABLE book; --');

      """
    #expect(Array(text.utf8) == Array(expected.utf8))
  }

  @Test func `a property list contains the values with their types`() throws {
    let text = OutputFormat.propertyList.text(
      ["a&b", "n", "x"], [[.text("<\u{1}>"), .integer(7), .null]])

    let list = try PropertyListSerialization.propertyList(
      from: Data(text.utf8), options: [], format: nil)
    let rows = try #require(list as? [[String: Any]])
    #expect(rows.count == 1)
    #expect(rows[0]["a&b"] as? String == "<\u{fffd}>")
    #expect(rows[0]["n"] as? Int == 7)
    #expect(rows[0]["x"] == nil)
  }

  @Test func `raw output contains the values without escapes`() {
    #expect(text(.raw) == "Emma\t12\t00ff\nDune, \"1965\"\t\t\n")
  }

  @Test func `a table writes rows after the first thousand immediately`() {
    var encoder = OutputFormat.table.encoder()
    _ = encoder.begin(["n"])
    let first = (0..<999).map { encoder.encode([.integer($0)]) }
    #expect(first.allSatisfy { $0.isEmpty })

    let thousandth = encoder.encode([.integer(999)])
    #expect(thousandth.split(separator: "\n").count == 1_001)
    #expect(encoder.encode([.integer(1_000)]) == "1000\n")
    #expect(encoder.end().isEmpty)
  }
}
