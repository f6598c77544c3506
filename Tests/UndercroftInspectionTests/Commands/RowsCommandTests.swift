import Foundation
import TestSupport
import Testing

@Suite struct RowsCommandTests {
  @Test func `rows accepts the kind before the name of a table, as query does`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let database = directory.appending(path: try home.fileName(of: "record")).path

      let rows = try home.rows("rows", "record.book")

      #expect(rows.count == 3)
      #expect(try InspectorRows.of("rows", database, "sqlite.author").count == 2)
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

      let rows = try home.rows("rows", "record.book")

      #expect(rows.map { $0["shelf"] as? String } == ["A"])
    }
  }
}
