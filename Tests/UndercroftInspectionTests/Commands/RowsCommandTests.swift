import Foundation
import TestSupport
import Testing

@Suite struct RowsCommandTests {
  @Test func `rows accepts the kind before the name of a table, as query does`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let database = directory.appending(path: try home.fileName(of: "record")).path

      let books = try home.run("rows", "record.book", "--format", "ndjson")
      let authors = try run("rows", database, "sqlite.author", "--format", "ndjson")

      #expect(books.output.split(separator: "\n").count == 3)
      #expect(authors.lines.count == 2)
      #expect(try home.run("rows", "record.loan").status == 66)
      #expect(try home.run("rows", "preference.book").status == 66)
    }
  }

  @Test func `a table whose own name begins with a kind is shown before the table of the kind`()
    throws
  {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      try SQLiteShell.run(
        #"CREATE TABLE "record.book"(shelf); INSERT INTO "record.book" VALUES ('A')"#,
        on: directory.appending(path: try home.fileName(of: "record")))

      let rows = try home.run("rows", "record.book", "--format", "tsv")

      #expect(rows.output == "shelf\nA\n")
    }
  }
}
