import Foundation
import TestSupport
import Testing
import Undercroft

/// Tests of the output of `undercroft schema` for one database, and for the difference between two
/// databases.
struct SchemaCommandTests {
  private static func database(_ url: URL, _ script: SQL) throws -> Database {
    let database = try Database(at: url)
    try database.write { db in try db.executeScript(script) }
    return database
  }

  private static let first: SQL = """
    CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT);
    CREATE INDEX book_title ON book (title);
    INSERT INTO book VALUES (1, 'Solaris')
    """

  @Test
  func `the schema command prints SQL that recreates the tables, and with --rows also the rows`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let database = try Self.database(url, Self.first)
      // While the database is open, and after it was closed.
      for isOpen in [true, false] {
        if !isOpen { try database.close() }
        let before = try fileStates(in: directory)
        let answer = try run("schema", url.path, "--rows")
        #expect(answer.status == 0, "\(answer.errors)")
        #expect(try fileStates(in: directory) == before)
        let again = try GoldenSchema(answer.output).database()
        #expect(try again.fetchValue("SELECT title FROM book", as: String.self) == "Solaris")
        let plain = try run("schema", url.path)
        #expect(!plain.output.contains("Solaris"))
        #expect(plain.output.hasSuffix("CREATE INDEX book_title ON book (title);\n"))
      }
    }
  }

  @Test
  func `the schema command with --diff prints how two schemas differ and exits with status 1`()
    throws
  {
    try withTemporaryDirectory { directory in
      let (old, new) = (
        directory.appending(path: "old.sqlite"), directory.appending(path: "new.sqlite")
      )
      try Self.database(old, Self.first).close()
      try Self.database(
        new,
        """
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, isbn TEXT);
        CREATE TABLE review (id INTEGER PRIMARY KEY, text TEXT)
        """
      ).close()
      let before = try fileStates(in: directory)
      let answer = try run("schema", old.path, "--diff", new.path)

      #expect(answer.status == 1)
      #expect(
        answer.output == """
          - index book_title
          ~ table book: + isbn TEXT
          + table review (id INTEGER PRIMARY KEY, text TEXT)

          """)
      #expect(try fileStates(in: directory) == before)
      let same = try run("schema", old.path, "--diff", old.path)
      #expect(same.status == 0)
      #expect(same.output.isEmpty)
    }
  }

  @Test
  func `the schema command with --diff compares a database with a golden schema file`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try Self.database(url, Self.first).close()
      let golden = directory.appending(path: "1.sql")
      try run("schema", url.path).output.write(to: golden, atomically: true, encoding: .utf8)
      #expect(try run("schema", url.path, "--diff", golden.path).status == 0)

      try "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT);".write(
        to: golden, atomically: true, encoding: .utf8)
      let answer = try run("schema", url.path, "--diff", golden.path)
      #expect(answer.status == 1)
      #expect(answer.output == "- index book_title\n")
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).count == 2)
    }
  }

  @Test
  func `the schema command accepts the directory of a Storage in place of a database file`()
    throws
  {
    try withTemporaryDirectory { directory in
      let storage = try Storage(home: directory)
      try storage.database(for: .record).write { db in try db.execute("CREATE TABLE book (title)") }
      let answer = try run("schema", directory.path)

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(answer.output.contains("CREATE TABLE book (title);"))
    }
  }

  @Test func `the schema command with --table prints the statements of one table`() throws {
    try withTemporaryDirectory { directory in
      let storage = try Storage(home: directory)
      try storage.database(for: .record).write { db in
        try db.executeScript(
          """
          CREATE TABLE author(id INTEGER PRIMARY KEY, name TEXT);
          CREATE TABLE Book(id INTEGER PRIMARY KEY, title TEXT);
          CREATE INDEX book_title ON Book(title);
          CREATE VIEW novel AS SELECT title FROM Book;
          INSERT INTO Book VALUES (1, 'Solaris');
          """)
      }

      let table = try run("schema", directory.path, "--table", "book")
      let rows = try run("schema", directory.path, "--table", "Book", "--rows")
      let view = try run("schema", directory.path, "--table", "novel")

      #expect(
        table.output == """
          CREATE TABLE Book(id INTEGER PRIMARY KEY, title TEXT);
          CREATE INDEX book_title ON Book(title);

          """, "\(table.errors)")
      #expect(rows.output.contains("Solaris"))
      #expect(view.output == "CREATE VIEW novel AS SELECT title FROM Book;\n")
    }
  }

  @Test func `a table whose name differs from another one in the case of a letter is found`()
    throws
  {
    try withTemporaryDirectory { directory in
      let database = directory.appending(path: "library.sqlite")
      try Self.database(
        database,
        """
        CREATE TABLE "ÉTAGÈRE"(wide AS (id * 2), id INTEGER);
        CREATE TABLE "étagère"(id INTEGER, wide INTEGER);
        INSERT INTO "étagère" VALUES (1, 7)
        """
      ).close()

      let schema = try run("schema", database.path, "--table", "étagère")
      let rows = try run("rows", database.path, "étagère", "--format", "sql")

      #expect(schema.output.hasPrefix("CREATE TABLE \"étagère\"("), "\(schema.errors)")
      #expect(rows.output.contains("7"), "\(rows.errors)")
    }
  }

  @Test func `the schema command accepts the kind before the name of a table, as rows does`()
    throws
  {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let database = directory.appending(path: try home.fileName(of: "record"))

      let table = try home.run("schema", "--table", "record.author")
      let missing = try home.run("schema", "--table", "record.loan")
      let other = try home.run("schema", "--table", "preference.book")
      let single = try run("schema", database.path, "--table", "sqlite.Author")

      #expect(table.status == 0, "\(table.errors)")
      #expect(
        table.output == "CREATE TABLE author(id INTEGER PRIMARY KEY, name TEXT NOT NULL);\n")
      #expect(missing.status == 66)
      #expect(missing.errors.contains("cannot show the schema of \"record.loan\""))
      #expect(other.status == 66)
      #expect(single.output == table.output)
    }
  }

  @Test func `a table whose own name begins with a kind precedes the table of the kind`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      try SQLiteShell.run(
        #"CREATE TABLE "record.book"(shelf)"#,
        on: directory.appending(path: try home.fileName(of: "record")))

      let table = try home.run("schema", "--table", "record.book")

      #expect(table.output == "CREATE TABLE \"record.book\"(shelf);\n", "\(table.errors)")
    }
  }

  @Test func `the kind before the name of a table selects the databases of all paths`() throws {
    try withTemporaryDirectory { directory in
      let homes = try ["east", "west"].map { name in
        try SampleHome(at: directory.appending(path: name)).url.path
      }

      let answer = try run("schema", homes[0], homes[1], "--table", "record.author")

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(answer.output.components(separatedBy: "CREATE TABLE author").count == 3)
      #expect(!answer.output.contains("CREATE TABLE book"))
    }
  }

  @Test func `the schema command with --table fails for a table that does not exist`() throws {
    try withTemporaryDirectory { directory in
      let database = directory.appending(path: "library.sqlite")
      try Self.database(database, Self.first).close()

      let missing = try run("schema", database.path, "--table", "loan")
      let compared = try run("schema", database.path, "--table", "book", "--diff", database.path)

      #expect(missing.status == 66)
      #expect(missing.errors.contains("cannot show the schema of \"loan\""))
      #expect(compared.status == 64)
    }
  }

  @Test func `schema and rows suggest the most similar table, or the kind that has the table`()
    throws
  {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)

      let schema = try home.run("schema", "--table", "autor")
      let dotted = try home.run("schema", "--table", "record.autor")
      let kind = try home.run("schema", "--table", "author", "--kind", "blob")
      let rows = try home.run("rows", "author", "--kind", "blob")

      #expect(schema.errors.contains("did you mean \"author\"?"), "\(schema.errors)")
      #expect(dotted.errors.contains("did you mean \"record.author\"?"), "\(dotted.errors)")
      for answer in [kind, rows] {
        #expect(answer.status == 66)
        #expect(
          answer.errors.contains("the kind \"record\" has the table \"author\"; select it with"),
          "\(answer.errors)")
      }
    }
  }

  @Test func `a table of another database than that of the named kind is suggested with its kind`()
    throws
  {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      try addDatabase(to: home)

      for command in [["schema", home.url.path, "--table"], ["rows", home.url.path]] {
        let dotted = try run(command + ["record.note"])
        let selected = try run(command + ["note", "--kind", "record"])
        let both = try run(command + ["record.note", "--kind", "record"])

        #expect([dotted.status, selected.status, both.status] == [66, 66, 66])
        #expect(dotted.errors.contains("did you mean \"annotation.note\"?"), "\(dotted.errors)")
        for answer in [selected, both] {
          #expect(
            answer.errors.contains("the kind \"annotation\" has the table \"note\""),
            "\(answer.errors)")
        }
      }
    }
  }

  /// Adds a database with the table `note` to a home, as the store of the kind `annotation`.
  private func addDatabase(to home: SampleHome) throws {
    try SQLiteShell.run(
      "CREATE TABLE note(text TEXT)", on: home.url.appending(path: "notes.sqlite"))
    let manifest = home.url.appending(path: "undercroft.json")
    let route = #"""
      {"kind":"annotation","backend":"sqlite","path":"notes.sqlite","codec":"json","prefix":"",
      "isConfidential":false},
      """#
    let text = try String(contentsOf: manifest, encoding: .utf8)
    try text.replacing(#""routes" : ["#, with: #""routes" : ["# + route, maxReplacements: 1)
      .write(to: manifest, atomically: true, encoding: .utf8)
  }

  @Test func `the text of the schema command creates a database with the same settings`() throws {
    try withTemporaryDirectory { directory in
      let settings = "PRAGMA encoding; PRAGMA page_size; PRAGMA auto_vacuum"
      let url = directory.appending(path: "library.sqlite")
      let copy = directory.appending(path: "copy.sqlite")
      try SQLiteShell.run(
        """
        PRAGMA encoding = 'UTF-16be'; PRAGMA page_size = 1024; PRAGMA auto_vacuum = 2;
        PRAGMA application_id = 5; CREATE TABLE book(title TEXT); INSERT INTO book VALUES ('Emma')
        """, on: url)

      let answer = try run("schema", url.path, "--rows")
      try SQLiteShell.run("BEGIN; \(answer.output) COMMIT", on: copy)
      let table = try run("schema", url.path, "--table", "book")

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(try SQLiteShell.run(settings, on: copy) == "UTF-16be\n1024\n2\n")
      #expect(try SQLiteShell.run("SELECT title FROM book", on: copy) == "Emma\n")
      #expect(table.output == "CREATE TABLE book(title TEXT);\n")
    }
  }

  @Test func `the schema command fails for a file that is missing or not a database`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "note.txt")
      try "no database".write(to: url, atomically: true, encoding: .utf8)
      #expect(try run("schema", url.path).status != 0)

      let database = directory.appending(path: "library.sqlite")
      try Self.database(database, Self.first).close()
      #expect(try run("schema", database.path, "--diff", directory.path + "/none").status == 66)
      #expect(try run("schema", database.path, "--diff", url.path).status != 0)
      #expect(try run("schema", database.path, "--diff", url.path, "--rows").status == 64)
    }
  }
}
