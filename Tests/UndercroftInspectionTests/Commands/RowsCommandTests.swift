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

  @Test func `the tables of more databases than a process can open are listed and shown`() throws {
    try withTemporaryDirectory { directory in
      let home = try BranchHome(at: directory, branchCount: 40) { branch in
        "CREATE TABLE \(branch)(title TEXT); INSERT INTO \(branch) VALUES ('Emma')"
      }
      let script = #"ulimit -n 32; exec "$0" "$@" --format ndjson"#

      let tables = try Program.inspector.runInShell(script, "rows", home.url.path)
      let books = try Program.inspector.runInShell(script, "rows", home.url.path, "branch40")

      #expect(tables.status == 0, "\(tables.errors)")
      #expect(tables.lines.count == 40)
      #expect(books.output == "{\"title\":\"Emma\"}\n", "\(books.errors)")
    }
  }

  @Test func `a table that no readable store has is reported with all stores that cannot be read`()
    throws
  {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let paths = try ["preference", "record"].map { try home.makeUnreadable($0) }

      let table = try home.run("rows", "book")
      let qualified = try home.run("rows", "record.book")
      let kind = try home.run("rows", "preference")

      #expect([table.status, qualified.status, kind.status].allSatisfy { $0 == 77 })
      #expect(table.errors.contains("have no table with this name"))
      #expect(paths.allSatisfy { table.errors.contains($0) }, "\(table.errors)")
      #expect(qualified.errors.contains(paths[1]) && !qualified.errors.contains(paths[0]))
      #expect(kind.errors.contains(paths[0]) && !kind.errors.contains(paths[1]))
    }
  }

  @Test func `rows shows the rows before the damage of a table, and then reports the damage`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try SQLiteShell.run(
        """
        PRAGMA page_size = 512; CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
        INSERT INTO book SELECT i, 'The volume ' || i FROM n
        """, on: url)
      var bytes = try Data(contentsOf: url)
      bytes.replaceSubrange((bytes.count - 512)..., with: Data(repeating: 0xff, count: 512))
      try bytes.write(to: url)

      let all = try run("rows", url.path, "book", "--format", "ndjson")
      let first = try run("rows", url.path, "book", "--limit", "3", "--format", "tsv")
      let table = try run("rows", url.path, "book", "--limit", "1000")

      #expect(all.status == 65)
      #expect((100..<300).contains(all.output.split(separator: "\n").count))
      #expect(all.errors.contains("malformed"), "\(all.errors)")
      #expect(first.status == 0, "\(first.errors)")
      #expect(
        first.output == "id\ttitle\n1\tThe volume 1\n2\tThe volume 2\n3\tThe volume 3\n")
      #expect(table.status == 65)
      #expect(table.output.contains("The volume 1"))
    }
  }

  @Test func `a table is shown if an unrelated store cannot be read`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      try home.makeUnreadable("preference")

      let answer = try home.run("rows", "author", "--format", "ndjson")

      #expect(answer.status == 0)
      #expect(answer.output.split(separator: "\n").count == 2)
      #expect(answer.errors.contains("preference: cannot open"))
    }
  }
}
