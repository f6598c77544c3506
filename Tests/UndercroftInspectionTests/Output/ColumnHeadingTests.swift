import Foundation
import TestSupport
import Testing
import Undercroft

/// Tests of the headings of columns in text, which programs read as names.
@Suite struct ColumnHeadingTests {
  @Test func `info shows words, and the names of properties as JSON`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)

      let text = try home.run("info", "--kind", "record")
      let rows = try home.rows("info", "--kind", "record")

      #expect(text.output.contains("\nconfidential "))
      #expect(!text.output.contains("isConfidential"))
      #expect(rows.map { $0["isConfidential"] as? Bool } == [false])
    }
  }

  @Test func `a table of a command has words as headings, and csv has names`() throws {
    try withSampleDatabase("CREATE TABLE book(id);") { url in
      let table = try run("migrations", url.path)
      let csv = try run("migrations", url.path, "--format", "csv")

      #expect(table.lines.first?.contains("user version") == true, "\(table.errors)")
      #expect(csv.lines.first?.contains("userVersion") == true)
    }
  }

  @Test func `the columns of a table of the user keep their names`() throws {
    try withSampleDatabase("CREATE TABLE book(isLent); INSERT INTO book VALUES (1);") { url in
      let rows = try run("rows", url.path, "book")
      let query = try run("query", url.path, "SELECT isLent FROM book")

      #expect(rows.lines.first == "isLent")
      #expect(query.lines.first == "isLent")
    }
  }
}
