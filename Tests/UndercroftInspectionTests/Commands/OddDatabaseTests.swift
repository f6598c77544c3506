import Foundation
import TestSupport
import Testing
import Undercroft

/// Tests of commands on databases that other programs made, with views and tables that are
/// difficult to read.
@Suite struct OddDatabaseTests {
  private static let endlessView: SQL = """
    CREATE TABLE book(title TEXT); INSERT INTO book VALUES ('Emma at noon');
    CREATE VIEW endless AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
      SELECT count(*) AS x FROM n;
    """

  @Test(arguments: ["find", "advise", "diff", "stat"])
  func `a view with endless rows does not delay the command`(command: String) throws {
    try withSampleDatabase(Self.endlessView) { url in
      let arguments = ["find": ["noon"], "diff": [url.path]][command, default: []]

      let answer = try run([command, url.path] + arguments)

      #expect(answer.status == 0, "\(answer.errors)")
      if command == "find" { #expect(answer.output.contains("Emma at noon")) }
    }
  }

  @Test func `rows ends with an error if a view with endless rows is shown`() throws {
    try withSampleDatabase(Self.endlessView) { url in
      let answer = try run("rows", url.path, "endless")

      #expect(answer.status == 75)
      #expect(answer.errors.contains("instructions"))
    }
  }

  @Test func `rows does not compute a value of a view that is larger than the database`() throws {
    try withSampleDatabase("CREATE VIEW large AS SELECT zeroblob(900000000) AS x;") { url in
      let answer = try run("rows", url.path, "large")

      #expect(answer.status != 0)
      #expect(answer.errors.contains("too big"))
    }
  }

  @Test func `check does not call an index with a collation of the application damaged`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let script = """
        import sqlite3, sys
        c = sqlite3.connect(sys.argv[1])
        c.create_collation("shelf", lambda a, b: (a > b) - (a < b))
        c.execute("CREATE TABLE book(title TEXT COLLATE shelf PRIMARY KEY)")
        c.execute("INSERT INTO book VALUES ('Dune')")
        c.commit()
        """
      try runPython(script, url.path)

      let answer = try run("check", url.path)

      #expect(answer.status == 0)
      #expect(answer.output.contains("not checked"))
    }
  }

  @Test func `check does not call a generated column with a function of the application damaged`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let script = """
        import sqlite3, sys
        c = sqlite3.connect(sys.argv[1])
        c.create_function("shout", 1, str.upper, deterministic=True)
        c.execute("CREATE TABLE book(title TEXT, label TEXT AS (shout(title)))")
        c.execute("CREATE INDEX book_label ON book(label)")
        c.execute("INSERT INTO book(title) VALUES ('Dune')")
        c.commit()
        """
      try runPython(script, url.path)

      let answer = try run("check", url.path)

      #expect(answer.status == 0)
      #expect(answer.output.contains("not checked"))
    }
  }

  @Test(arguments: [["export"], ["find", "Emma"]])
  func `a table that needs a function of the application does not hide the other tables`(
    command: [String]
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let script = """
        import sqlite3, sys
        c = sqlite3.connect(sys.argv[1])
        c.create_function("shout", 1, str.upper, deterministic=True)
        c.execute("CREATE TABLE book(title TEXT, label TEXT AS (shout(title)))")
        c.execute("CREATE TABLE loan(title TEXT)")
        c.execute("INSERT INTO loan VALUES ('Emma')")
        c.commit()
        """
      try runPython(script, url.path)

      let answer = try run([command[0], url.path] + command.dropFirst())

      #expect(answer.status == 65)
      #expect(answer.output.contains("Emma"))
      #expect(answer.errors.contains("shout"), "\(answer.errors)")
    }
  }

  @Test func `check reports foreign keys that cannot be checked, and exits with status 65`() throws
  {
    try withSampleDatabase(
      """
      CREATE TABLE author(id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE book(title TEXT, author TEXT REFERENCES author(name));
      """
    ) { url in
      let answer = try run("check", url.path)

      #expect(answer.status == 65)
      #expect(answer.output.contains("foreign keys cannot be checked"))
    }
  }

  @Test func `the columns of a table include generated columns, and no hidden ones`() throws {
    try withSampleDatabase(
      """
      CREATE TABLE book(label TEXT AS (title || '!'), title TEXT, pages INTEGER,
        sheets INTEGER AS (pages / 2) STORED);
      CREATE VIRTUAL TABLE page USING fts5(body);
      """
    ) { url in
      let rows = try rowsOfJSON(run("rows", url.path, "--format", "json").output)
      let diagram = try run("er", url.path)
      let names = try run("find", url.path, "label", "--names")

      let columns = rows.filter { ["book", "page"].contains($0["table"] as? String) }
        .map { $0["columns"] as? [String] }
      #expect(columns == [["label", "title", "pages", "sheets"], ["body"]])
      #expect(diagram.output.contains("INTEGER sheets"), "\(diagram.output)")
      #expect(names.status == 0)
    }
  }

  @Test func `an SQL statement that is not valid ends with the status for wrong usage`() throws {
    try withSampleDatabase("CREATE TABLE book(title TEXT);") { url in
      let answer = try run("query", url.path, "SELECT titel FROM book")

      #expect(answer.status == 64)
      #expect(answer.errors.contains("title"))
    }
  }

  @Test func `query refuses statements that write, and changes no file`() throws {
    try withSampleDatabase("CREATE TABLE book(title TEXT);") { url in
      let before = try fileStates(in: url.deletingLastPathComponent())

      for sql in ["DELETE FROM book", "ATTACH 'x' AS y", "PRAGMA user_version = 3", "VACUUM"] {
        #expect(try run("query", url.path, sql).status == 64, "\(sql)")
      }

      #expect(try fileStates(in: url.deletingLastPathComponent()) == before)
    }
  }
}
