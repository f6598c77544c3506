import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftMigrationTesting
import UndercroftSQLite

/// Tests that generated rows satisfy the constraints of their tables and vary.
struct RowGeneratorTests {
  /// Fills the tables of a script, and returns the database and the tables that remained empty.
  private func filled(
    _ script: SQL, rows: Int = 50, seed: UInt64 = 1, except: Set<ExactString> = []
  ) throws -> (Database, [String]) {
    let database = try Database.inMemory(running: script)
    var generator = RowGenerator(rowsPerTable: rows, seed: seed)
    let empty = try database.writeWithoutTransaction { db in
      try db.execute("PRAGMA foreign_keys = OFF")
      return try db.transaction { db in try generator.fill(db, except: except) }
    }
    #expect(try database.foreignKeyCheck() == [])
    #expect(try database.integrityCheck() == [])
    return (database, empty)
  }

  private func count(_ table: String, in database: Database, where condition: SQL = "1") throws
    -> Int
  {
    try database.fetchValue("SELECT count(*) FROM \(identifier: table) WHERE \(condition)")
  }

  @Test
  func `the row generator gives each column values of its type, and NULL if NULL is accepted`()
    throws
  {
    let (database, empty) = try filled(
      """
      CREATE TABLE plain (id INTEGER PRIMARY KEY, a INTEGER, b TEXT NOT NULL, c REAL, d BLOB, e, f NUMERIC, g VARCHAR(20), read_at TEXT);
      CREATE TABLE strict_one (a INT NOT NULL, b TEXT, c REAL NOT NULL, d BLOB, e ANY) STRICT;
      CREATE TABLE computed (a INTEGER, b AS (a + 1), c TEXT DEFAULT 'x' NOT NULL)
      """)

    #expect(empty == [])
    #expect(try count("plain", in: database) == 50)
    #expect(try count("strict_one", in: database) == 50)
    #expect(try count("computed", in: database) == 50)
    #expect(try count("plain", in: database, where: "typeof(a) NOT IN ('integer', 'null')") == 0)
    #expect(try count("plain", in: database, where: "a IS NULL") > 0)
    #expect(try count("plain", in: database, where: "typeof(b) = 'text' AND b LIKE '%''%'") > 0)
    #expect(try count("plain", in: database, where: "typeof(d) NOT IN ('blob', 'null')") == 0)
    #expect(
      try database.fetchValue("SELECT count(DISTINCT typeof(e)) FROM plain", as: Int.self) >= 4)
    #expect(
      try count("plain", in: database, where: "read_at IS NOT NULL AND datetime(read_at) IS NULL")
        == 0)
    #expect(try count("computed", in: database, where: "c = 'x'") > 0)
  }

  @Test func `generated rows satisfy keys, CHECK constraints and unique indexes`() throws {
    let (database, empty) = try filled(
      """
      CREATE TABLE book (
        isbn TEXT PRIMARY KEY NOT NULL, kind TEXT NOT NULL CHECK (kind IN ('novel', 'essay')),
        state INTEGER NOT NULL CHECK (state BETWEEN -2 AND 3), hash BLOB NOT NULL CHECK (length(hash) = 16),
        start INTEGER NOT NULL, finish INTEGER NOT NULL, extra TEXT CHECK (json_valid(extra)),
        rating REAL CHECK (rating > 7 AND rating < 9), UNIQUE (kind, start, finish), CHECK (start <= finish)) WITHOUT ROWID;
      CREATE TABLE flag (on_ INTEGER PRIMARY KEY CHECK (on_ IN (0, 1)));
      CREATE TABLE pair (a TEXT, b TEXT, PRIMARY KEY (a, b));
      CREATE UNIQUE INDEX one_of_a ON pair (a) WHERE b > 'm'
      """)

    #expect(empty == [])
    #expect(try count("book", in: database) == 50)
    #expect(try database.fetchValue("SELECT count(DISTINCT kind) FROM book", as: Int.self) == 2)
    #expect(try count("book", in: database, where: "rating IS NOT NULL") > 10)
    #expect(try count("flag", in: database) > 0)
    #expect(try count("pair", in: database) == 50)
  }

  @Test func `generated foreign keys refer to existing rows, including self-references and cycles`()
    throws
  {
    let (database, empty) = try filled(
      """
      CREATE TABLE loan (id INTEGER PRIMARY KEY, reader INTEGER NOT NULL REFERENCES reader, book TEXT REFERENCES book (isbn));
      CREATE TABLE reader (id INTEGER PRIMARY KEY, sponsor INTEGER NOT NULL REFERENCES reader (id));
      CREATE TABLE book (isbn TEXT UNIQUE, part INTEGER, whole TEXT, FOREIGN KEY (whole) REFERENCES book (isbn));
      CREATE TABLE egg (id INTEGER PRIMARY KEY, hen INTEGER NOT NULL REFERENCES hen (id));
      CREATE TABLE hen (id INTEGER PRIMARY KEY, egg INTEGER NOT NULL REFERENCES egg (id));
      CREATE TABLE place (x INTEGER, y INTEGER, PRIMARY KEY (x, y));
      CREATE TABLE stone (name TEXT, x INTEGER NOT NULL, y INTEGER NOT NULL, FOREIGN KEY (x, y) REFERENCES place);
      CREATE TABLE lost (id INTEGER REFERENCES nowhere (id))
      """)

    #expect(empty == [])
    for table in ["loan", "reader", "book", "egg", "hen", "stone"] {
      #expect(try count(table, in: database) == 50, "\(table)")
    }
    #expect(try count("loan", in: database, where: "book IS NOT NULL") > 10)
    #expect(try database.fetchValue("SELECT count(DISTINCT sponsor) FROM reader", as: Int.self) > 3)
  }

  @Test func `the row generator fills virtual tables that store rows`() throws {
    let (database, empty) = try filled(
      """
      CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
      CREATE VIRTUAL TABLE book_search USING fts5(title, content='book', content_rowid='id');
      CREATE VIRTUAL TABLE note USING fts5(text);
      CREATE VIRTUAL TABLE bare USING fts5(text, content='');
      CREATE VIRTUAL TABLE place USING rtree(id, x1, x2)
      """)

    #expect(empty == [])
    #expect(try count("note", in: database) == 50)
    #expect(try count("bare", in: database) == 0)
    #expect(try count("place", in: database) > 10)

    try database.execute(
      "INSERT INTO book_search (book_search, rank) VALUES ('integrity-check', 1)")
  }

  @Test func `the row generator quotes table names and leaves excluded tables empty`() throws {
    let (database, empty) = try filled(
      """
      CREATE TABLE "select ""x"" 'y'" ("from" INTEGER, "a b" TEXT, "x]" REFERENCES "group" ("by"));
      CREATE TABLE "group" ("by" INTEGER PRIMARY KEY);
      CREATE TABLE left_alone (a);
      CREATE TRIGGER "on" AFTER INSERT ON "group" BEGIN UPDATE "group" SET "by" = "by" + 0; END
      """, except: ["left_alone"])

    #expect(empty == [])
    #expect(try count("select \"x\" 'y'", in: database) == 50)
    #expect(try count("left_alone", in: database) == 0)
  }

  @Test func `the row generator generates no rows for a negative row count`() throws {
    let (database, empty) = try filled("CREATE TABLE book (id)", rows: -3)
    #expect(empty == [])
    #expect(try count("book", in: database) == 0)
  }
}
