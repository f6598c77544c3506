import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftInspection

/// Tests of the names and numbers of entries, tables and rows, and of commands for named values on
/// databases.
@Suite struct CountsTests {
  @Test func `ls lists only the store of the kind that is passed`() throws {
    try withTemporaryDirectory { directory in
      let rows = try SampleHome(at: directory).rows("ls", "--kind", "record")

      #expect(rows.map { $0["kind"] as? String } == ["record"])
    }
  }

  @Test func `a repeated option --kind selects the stores of all kinds that are passed`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let kinds = ["--kind", "record", "--kind", "preference"]

      for command in ["ls", "stat", "du", "check", "info"] {
        let answer = try run([command, home.url.path, "--format", "json"] + kinds)
        let shown = Set(try rowsOfJSON(answer.output).compactMap { $0["kind"] as? String })

        #expect(shown == ["preference", "record"], "\(command)")
      }
      let found = try run(["find", home.url.path, "noon", "--format", "json"] + kinds)
      let missing = try run(["ls", home.url.path, "--kind", "record", "--kind", "shelf"])

      #expect(
        try rowsOfJSON(found.output).compactMap { $0["kind"] as? String }
          == ["preference", "record"])
      #expect(missing.status == 66)
      #expect(missing.errors.contains("cannot find the kind \"shelf\""))
    }
  }

  @Test func `diff compares the stores of all kinds that are passed`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory.appending(path: "home"))
      let other = try SampleHome(at: directory.appending(path: "other"))
      try other.save("light", as: "theme")
      let kinds = ["--kind", "preference", "--kind", "record"]

      let answer = try run(["diff", home.url.path, other.url.path] + kinds)

      #expect(answer.status == 1)
      #expect(answer.output.contains("theme"))
    }
  }

  @Test(arguments: [
    ["get", "/", "theme"], ["set", "/", "theme", "dark", "--write"],
    ["rm", "/", "theme", "--write"], ["convert", "/", "/new", "--to", "files"],
    ["vault", "status", "/"],
  ])
  func `a command about one store refuses a second kind`(arguments: [String]) throws {
    let answer = try run(arguments + ["--kind", "preference", "--kind=blob"])

    #expect(answer.status == 64)
    #expect(answer.errors.contains("--kind is passed 2 times"), "\(answer.errors)")
    #expect(answer.errors.contains("Usage: undercroft \(arguments[0])"))
  }

  @Test func `ls, info and stat count entries of keyed stores, and tables of databases`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      for command in ["ls", "info", "stat"] {
        let rows = try home.rows(command)

        let record = try #require(rows.first { $0["kind"] as? String == "record" })
        #expect(record["tables"] as? Int == 2, "\(command)")
        #expect(record["entries"] == nil, "\(command)")
        let blob = try #require(rows.first { $0["kind"] as? String == "blob" })
        #expect(blob["entries"] as? Int == 2, "\(command)")
        #expect(blob["tables"] == nil, "\(command)")
      }
      #expect(try home.rows("stat").compactMap { $0["rows"] as? Int } == [5])
      #expect(try home.run("ls").output.contains("2 tables"))
    }
  }

  @Test func `stat shows no number of rows if a table is damaged, and reports the damage`() throws {
    try withDamagedTable { url in
      let answer = try run("stat", url.path, "--format", "json")
      let row = try #require(try rowsOfJSON(answer.output).first)

      #expect(answer.status == 65)
      #expect(row["tables"] as? Int == 2)
      #expect(row["rows"] == nil || row["rows"] is NSNull)
      #expect(answer.errors.contains("cannot count the rows"), "\(answer.errors)")
    }
  }

  @Test func `rows lists a damaged table without a number, and ends with status 65`() throws {
    try withDamagedTable { url in
      let answer = try run("rows", url.path, "--format", "json")
      let text = try run("rows", url.path)
      let rows = try rowsOfJSON(answer.output)

      #expect(answer.status == 65)
      #expect(rows.map { $0["table"] as? String } == ["book", "loan"])
      #expect(rows.first?["rows"] as? Int == nil)
      #expect(answer.errors.contains(#""code":"corrupted""#), "\(answer.errors)")
      #expect(text.status == 65)
      #expect(text.output.contains("book"))
      #expect(
        text.errors.contains("cannot count the rows of the table \"book\""), "\(text.errors)")
    }
  }

  @Test func `info says which table is damaged, and ends with status 65`() throws {
    try withDamagedTable { url in
      let answer = try run("info", url.path, "--format", "json")
      let text = try run("info", url.path)
      let row = try #require(try rowsOfJSON(answer.output).first)

      #expect(answer.status == 65)
      #expect((row["facts"] as? [String: String])?["table book"] == "damaged")
      #expect((row["problem"] as? String)?.contains("\"book\"") == true, "\(row)")
      #expect(text.status == 65)
      #expect(text.output.contains("damaged"))
      #expect(
        text.errors.contains("cannot count the rows of the table \"book\""), "\(text.errors)")
    }
  }

  /// Calls `body` with a database in which all pages after the schema are damaged.
  private func withDamagedTable(_ body: (URL) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try SQLiteShell.run(
        """
        PRAGMA page_size = 512; CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
        INSERT INTO book SELECT i, 'The volume ' || i FROM n;
        CREATE TABLE loan(book INTEGER)
        """, on: url)
      let bytes = try Data(contentsOf: url)
      let damaged = bytes.prefix(600) + Data(repeating: 0xff, count: bytes.count - 600)
      try damaged.write(to: url)

      try body(url)
    }
  }

  @Test func `keys lists no tables, and refers to rows if there are only databases`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)

      let all = try home.run("keys")
      let record = try home.run("keys", "--kind", "record")

      #expect(all.status == 0)
      #expect(all.output.contains("theme"))
      #expect(!all.output.contains("author"))
      #expect(record.status == 66)
      #expect(record.errors.contains("undercroft rows"))
    }
  }

  @Test func `get refers to rows and schema for the name of a table`() throws {
    try withTemporaryDirectory { directory in
      let answer = try SampleHome(at: directory).run("get", "book")

      #expect(answer.status == 66)
      #expect(answer.errors.contains("undercroft rows"))
      #expect(answer.errors.contains("undercroft schema"))
    }
  }

  @Test func `rows refers to keys and query for the name of a kind with named values`() throws {
    try withTemporaryDirectory { directory in
      let answer = try SampleHome(at: directory).run("rows", "preference")

      #expect(answer.status == 66)
      #expect(answer.errors.contains("undercroft keys"))
      #expect(answer.errors.contains("SELECT * FROM preference"))
    }
  }

  @Test func `rows refers to keys and get for the name of a confidential kind`() throws {
    try withTemporaryDirectory { directory in
      let answer = try SampleHome(at: directory).run("rows", "secret")

      #expect(answer.status != 0)
      #expect(answer.errors.contains("undercroft keys"))
      #expect(answer.errors.contains("\"undercroft get\" with --reveal"))
      #expect(!answer.errors.contains("SELECT"))
    }
  }

  @Test func `get with a kind that has tables refers to rows`() throws {
    try withTemporaryDirectory { directory in
      let answer = try SampleHome(at: directory).run("get", "theme", "--kind", "record")

      #expect(answer.status == 66)
      #expect(answer.errors.contains("database with tables"))
      #expect(answer.errors.contains("undercroft rows"))
      #expect(answer.errors.contains("omit --kind"))
    }
  }

  @Test func `er draws the databases of a home together, and schema shows each of them`() throws {
    try withTemporaryDirectory { directory in
      let home = try HomeWithTwoDatabases(at: directory)

      let diagram = try run("er", home.url.path)
      let one = try run("er", home.url.path, "--kind", "desk")
      let schema = try run("schema", home.url.path)
      let other = try run("schema", home.url.path, "--diff", "other.sql")

      #expect(diagram.status == 0, "\(diagram.errors)")
      #expect(diagram.output.contains("record.book"))
      #expect(diagram.output.contains("desk.loan"))
      #expect(!one.output.contains("book"))
      #expect(schema.output.contains("-- desk: "))
      #expect(schema.output.contains("CREATE TABLE loan"))
      #expect(schema.output.contains("CREATE TABLE book"))
      #expect(other.status == 66)
      #expect(other.errors.contains("--kind"))
    }
  }

  /// The home directory of an application with two databases.
  private struct HomeWithTwoDatabases {
    let url: URL

    init(at url: URL) throws {
      self.url = url
      var storage = try Storage(home: url)
      let desk = DataKind("desk", requiredCapabilities: .relational)
      try storage.use(.sqlite(at: url.appending(path: "desk.sqlite")), for: desk)
      try storage.database(for: .record).write { db in
        try db.execute("CREATE TABLE book(id INTEGER PRIMARY KEY)")
      }
      try storage.database(for: desk).write { db in
        try db.execute("CREATE TABLE loan(id INTEGER PRIMARY KEY)")
      }
    }
  }

  @Test func `schema with rows writes text that is not UTF-8 as a cast of its bytes`() throws {
    try withSampleDatabase(
      "CREATE TABLE book(title TEXT); INSERT INTO book VALUES (CAST(x'ff41' AS TEXT));"
    ) { url in
      let answer = try run("schema", url.path, "--rows")

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(answer.output.contains("CAST(x'ff41' AS TEXT)"))
      let again = try GoldenSchema(answer.output).database()
      #expect(try again.fetchValue("SELECT hex(title) FROM book", as: String.self) == "FF41")
      #expect(try again.fetchValue("SELECT typeof(title) FROM book", as: String.self) == "text")
    }
  }

  @Test func `get embeds a JSON value with the digits of its numbers`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let backend = try BackendChoice.settings(at: directory.appending(path: "settings")).open()
      let json = #"{"due":12345678901234567890.10,"a":[],"b":{"c":"\u202e"}}"#
      try backend.apply([.set("loan", Data(json.utf8)), .set("odd", Data("[01]".utf8))])

      let loan = try home.run("get", "loan", "--format", "json").output
      let odd = try home.run("get", "odd", "--format", "json").output

      #expect(loan.contains("\"due\" : 12345678901234567890.10"))
      #expect(loan.contains("\"encoding\" : \"json\""))
      #expect(try JSONSerialization.jsonObject(with: Data(loan.utf8)) is [String: Any])
      #expect(odd.contains("\"value\" : \"[01]\""))
      #expect(odd.contains("\"encoding\" : \"utf-8\""))
    }
  }

  @Test func `tables and the brief report are read without counting rows`() throws {
    try withSampleDatabase("CREATE TABLE book(title TEXT); INSERT INTO book VALUES ('Dune');") {
      url in
      let store = try #require(try Inspector(StoreInspectorFactory.standard).stores(at: url).first)
        .open()

      #expect(try store.tables(countingRows: false)?.map(\.rowCount) == [nil])
      #expect(try store.tables()?.map(\.rowCount) == [1])
      #expect(!store.report.facts.contains { $0.name == "table book" })
      #expect(try store.completeReport().facts.contains { $0.name == "table book" })
    }
  }
}
