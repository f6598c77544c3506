import Foundation
import TestSupport
import Testing

/// Tests of all commands on databases that Python's module `sqlite3` wrote.
@Suite struct PythonDatabaseTests {
  /// The options of a database: the page size, the encoding, a pragma, and the statements.
  struct Shape: Sendable, CustomTestStringConvertible {
    let name: String
    var pageSize = 4_096
    var encoding = "UTF-8"
    var pragma = "user_version = 1"
    var script = Self.books

    var testDescription: String { name }

    static let books = """
      CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT, pages INTEGER, cover BLOB);
      CREATE INDEX book_title ON book(title);
      INSERT INTO book VALUES (1, 'Emma', 474, x'00ff'), (2, 'Žít 書庫 📚', NULL, NULL);
      WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
        INSERT INTO book SELECT i, 'Volume ' || i, i, zeroblob(i) FROM n;
      """

    /// A transaction that spills pages into the file, and that the script does not end.
    private static let unfinished = """
      BEGIN; UPDATE book SET title = 'unfinished', cover = zeroblob(3000);
      """

    static let all: [Shape] = pageSizes + special

    private static let special: [Shape] = [
      Shape(
        name: "WITHOUT ROWID",
        script: """
          CREATE TABLE loan(reader TEXT, book TEXT, due TEXT, PRIMARY KEY(book, reader))
            WITHOUT ROWID;
          INSERT INTO loan VALUES ('Ada', 'Emma', '2026-01-01'), ('Bob', 'Dune', NULL);
          """),
      Shape(
        name: "generated columns",
        script: """
          CREATE TABLE book(title TEXT, pages INTEGER, label TEXT AS (title || '!'),
            sheets INTEGER GENERATED ALWAYS AS (pages / 2) STORED);
          INSERT INTO book(title, pages) VALUES ('Emma', 474);
          """),
      Shape(
        name: "STRICT",
        script: """
          CREATE TABLE book(title TEXT NOT NULL, extra ANY) STRICT;
          INSERT INTO book VALUES ('Emma', 1.5), ('Dune', x'00');
          """),
      full("fts3"), full("fts4"), full("fts5"),
      Shape(
        name: "R-Tree",
        script: """
          CREATE VIRTUAL TABLE shelf USING rtree(id, minx, maxx, +note);
          INSERT INTO shelf VALUES (1, 0, 2.5, 'Emma'), (2, 3, 4, NULL);
          """),
      Shape(name: "UTF-16le", encoding: "UTF-16le"),
      Shape(name: "UTF-16be", encoding: "UTF-16be"),
      Shape(name: "auto_vacuum", pragma: "auto_vacuum = FULL"),
      Shape(
        name: "incremental vacuum", pragma: "auto_vacuum = INCREMENTAL",
        script: books + "DELETE FROM book WHERE id > 100;"),
      Shape(name: "write-ahead log", pragma: "journal_mode = WAL"),
      Shape(
        name: "write-ahead log of small pages", pageSize: 512, encoding: "UTF-16be",
        pragma: "journal_mode = WAL"),
      Shape(
        name: "write-ahead log of large pages", pageSize: 65_536, pragma: "journal_mode = WAL"),
      Shape(name: "truncated journal", pragma: "journal_mode = TRUNCATE"),
      Shape(name: "persistent journal", pragma: "journal_mode = PERSIST"),
      Shape(name: "hot journal", pragma: "cache_size = 2", script: books + unfinished),
      Shape(
        name: "hot journal of small pages", pageSize: 512, pragma: "cache_size = 2",
        script: books + unfinished),
      // The schema that GRDB creates for migrations, a synchronised full-text table and JSON.
      Shape(
        name: "GRDB",
        script: """
          CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
          CREATE TABLE "book" ("id" INTEGER PRIMARY KEY, "title" TEXT NOT NULL, "details" TEXT,
            "tag" TEXT GENERATED ALWAYS AS (json_extract(details, '$.tag')) VIRTUAL);
          CREATE INDEX "book_on_tag" ON "book"("tag");
          CREATE VIRTUAL TABLE "bookSearch" USING fts5(title, tokenize='''unicode61''',
            content='book', content_rowid='id');
          CREATE TRIGGER "__bookSearch_ai" AFTER INSERT ON "book" BEGIN
            INSERT INTO "bookSearch"("rowid", "title") VALUES (new."id", new."title");
          END;
          INSERT INTO grdb_migrations VALUES ('create books');
          INSERT INTO book(title, details) VALUES ('Emma', '{"tag":"novel"}'), ('Dune', NULL);
          """),
      Shape(
        name: "odd names",
        script: """
          CREATE TABLE "select from"("a b" TEXT, "x""y" INT, [é] TEXT);
          INSERT INTO "select from" VALUES ('Emma', 2, '3');
          CREATE TABLE ""("");
          CREATE VIEW "v w" AS SELECT "a b" FROM "select from";
          """),
      Shape(
        name: "odd values",
        script: """
          CREATE TABLE book(a);
          INSERT INTO book VALUES ('Emma'), (1e999), (-1e999), (9223372036854775807),
            (-9223372036854775808), ('nul' || char(0) || 'x'), (CAST(x'ff41' AS TEXT)), (x''), (''),
            (1e-320), (NULL);
          """),
    ]

    private static let pageSizes = [512, 1_024, 2_048, 8_192, 16_384, 32_768, 65_536].map {
      Shape(name: "pages of \($0) bytes", pageSize: $0)
    }

    private static func full(_ module: String) -> Shape {
      Shape(
        name: module,
        script: """
          CREATE VIRTUAL TABLE page USING \(module)(title, body);
          INSERT INTO page VALUES ('Emma', 'handsome clever and rich');
          """)
    }
  }

  @Test(arguments: Shape.all)
  func `each command succeeds on a database by Python, and changes no file`(shape: Shape) throws {
    try withTemporaryDirectory { directory in
      let url = try make(shape, in: directory)
      let before = try fileStates(in: directory)
      let names = ["ls", "info", "rows", "schema", "stat", "check", "top", "du", "er"]
      let queries = [
        ["find", url.path, "Emma"], ["query", url.path, "SELECT count(*) FROM sqlite_schema"],
      ]

      for command in names.map({ [$0, url.path] }) + queries {
        let answer = try run(command)

        #expect(answer.status == 0, "\(command): \(answer.errors)")
        #expect(answer.errors.isEmpty, "\(command): \(answer.errors)")
      }
      #expect(try fileStates(in: directory) == before)
    }
  }

  @Test(arguments: Shape.all)
  func `rows shows the same rows as Python`(shape: Shape) throws {
    try withTemporaryDirectory { directory in
      let url = try make(shape, in: directory)
      // Python would move the log into the database when it closes the file, and roll back the
      // journal.
      let copies = directory.appending(path: "copies")
      try FileManager.default.createDirectory(at: copies, withIntermediateDirectories: false)
      for suffix in ["", "-wal", "-journal"]
      where FileManager.default.fileExists(atPath: url.path + suffix) {
        try FileManager.default.copyItem(
          atPath: url.path + suffix, toPath: copies.path + "/library" + suffix)
      }
      let output = try runPython(Self.reading, copies.path + "/library")
      let tables = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: NSArray]

      for (table, rows) in try #require(tables) {
        let answer = try run("rows", url.path, table, "--format", "json")
        let found = try JSONSerialization.jsonObject(with: Data(answer.output.utf8))
        #expect((found as? [String: Any])?["rows"] as? NSArray == rows, "\(table)")
      }
    }
  }

  @Test func `info names Core Data as the maker of its databases`() throws {
    try withTemporaryDirectory { directory in
      let script = """
        CREATE TABLE ZBOOK(Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR);
        CREATE TABLE Z_METADATA(Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR, Z_PLIST BLOB);
        """
      let url = try make(Shape(name: "Core Data", script: script), in: directory)

      #expect(try run("info", url.path).output.contains("Core Data"))
    }
  }

  private func make(_ shape: Shape, in directory: URL) throws -> URL {
    let url = directory.appending(path: "library")
    try runPython(
      """
      import os, sqlite3, sys
      connection = sqlite3.connect(sys.argv[1])
      for pragma in sys.argv[2:5]: connection.execute("PRAGMA " + pragma)
      connection.executescript(sys.argv[5])
      # The connection is not closed, so that a write-ahead log or a journal remains.
      os._exit(0)
      """, url.path, "page_size = \(shape.pageSize)", "encoding = '\(shape.encoding)'",
      shape.pragma, shape.script)
    return url
  }

  /// A script that prints the rows of all tables and views, with bytes and infinite numbers as in
  /// the output of the inspector.
  private static let reading = """
    import base64, json, math, sqlite3, sys
    def value(v):
        if isinstance(v, bytes): return {"base64": base64.b64encode(v).decode()}
        if isinstance(v, float) and math.isinf(v): return {"number": str(v)}
        return v
    def text(b):
        try: return b.decode()
        except UnicodeDecodeError: return b
    connection = sqlite3.connect(sys.argv[1])
    connection.text_factory = text
    names = [row[0] for row in connection.execute(
        "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')"
        " AND name NOT LIKE 'sqlite_%'")]
    rows = lambda name: connection.execute('SELECT * FROM "' + name.replace('"', '""') + '"')
    print(json.dumps({name: [[value(v) for v in row] for row in rows(name)] for name in names}))
    """
}
