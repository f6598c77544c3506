import TestSupport
import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

@Suite struct RowsTests {
  @Test func `convertRows calls the closure once for each row`() throws {
    let database = try Database.inMemory()
    try database.write { db in
      try db.executeScript(
        """
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, sort_title TEXT, reads INTEGER);
        CREATE INDEX book_sort ON book(sort_title);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
        INSERT INTO book SELECT i * 3 - 4000, 'The Title ' || i, NULL, 0 FROM n;
        CREATE TRIGGER twice AFTER UPDATE ON book BEGIN
          INSERT INTO book(title, reads) VALUES ('new', 99);
        END;
        """)
    }

    let count = try database.step { db in
      try db.convertRows(
        of: "book", reading: ["title", "reads"], writing: ["sort_title", "reads"],
        where: "sort_title IS NULL"
      ) { row in
        let title = try row["title"] as String
        return [String(title.dropFirst(4)), try row["reads"] as Int + 1]
      }
    }

    #expect(count == 2500)
    let done = try database.rows(
      "SELECT min(sort_title), max(reads), count(*) FROM book WHERE reads < 99")
    #expect(done == ["Title 1|1|2500"])
    #expect(try database.rows("SELECT count(*) FROM book WHERE reads = 99") == ["2500"])
  }

  @Test func `convertRows reports progress when it is called outside a migration`() throws {
    let database = try LibraryFile.open()
    let log = MigrationLog()
    let progress = MigrationProgress { fraction in log.append("\(fraction)") }

    try database.step { db in
      try db.convertRows(of: "book", reading: ["id"], writing: ["blurb"], progress: progress) {
        row in ["about \(try row["id"] as Int)"]
      }
    }

    #expect(log.events == ["1.0"])
  }

  @Test
  func `convertRows converts every row of a WITHOUT ROWID table with a compound primary key`()
    throws
  {
    let database = try Database.inMemory()
    try database.write { db in
      try db.executeScript(
        """
        CREATE TABLE place (room TEXT COLLATE NOCASE, shelf INTEGER, label TEXT,
          PRIMARY KEY (room, shelf DESC)) WITHOUT ROWID;
        WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 2999)
        INSERT INTO place SELECT char(65 + i % 3 + i % 2 * 35), i, NULL FROM n;
        """)
    }

    let count = try database.step { db in
      try db.convertRows(of: "place", reading: ["room", "shelf"], writing: ["label"]) { row in
        let shelf = try row["shelf"] as Int
        return shelf == 7 ? nil : ["\(try row["room"] as String)\(shelf)"]
      }
    }

    #expect(count == 2999)
    #expect(
      try database.rows("SELECT count(*) FROM place WHERE label = room || shelf") == ["2999"])
    #expect(try database.rows("SELECT shelf FROM place WHERE label IS NULL") == ["7"])
  }

  @Test
  func `convertRows is rolled back if its closure throws or returns fewer values than columns`()
    throws
  {
    struct Refusal: Error {}
    let database = try LibraryFile.open()
    let before = try database.rows("SELECT * FROM book")

    #expect(throws: Refusal.self) {
      try database.step { db in
        try db.convertRows(of: "book", reading: ["id"], writing: ["blurb"]) { row in
          if try row[0] as Int == 8 { throw Refusal() }
          return ["x"]
        }
      }
    }

    try database.refuses("returned 1 value for 2 columns") { db in
      try db.convertRows(of: "book", reading: ["id"], writing: ["blurb", "isbn"]) { _ in ["x"] }
    }
    try database.refuses("\"id\" is part of the key of the table") { db in
      try db.convertRows(of: "book", reading: ["id"], writing: ["id"]) { _ in [1] }
    }
    try database.refuses("\"shown\" is a generated column") { db in
      try db.convertRows(of: "book", reading: ["id"], writing: ["shown"]) { _ in [1] }
    }
    try database.refuses("has no column \"x\"") { db in
      try db.copyRows(from: "SELECT 1", into: "author", columns: ["x"]) { _ in [1] }
    }
    try database.refuses("UNIQUE constraint failed", code: .constraintViolated) { db in
      try db.convertRows(of: "book", reading: ["id"], writing: ["isbn"]) { _ in ["same"] }
    }

    #expect(try database.rows("SELECT * FROM book") == before)
  }

  @Test func `copyRows inserts the rows of a query into another table`() throws {
    let database = try LibraryFile.open()

    let count = try database.step { db in
      try db.execute("CREATE TABLE word (book INTEGER, word TEXT)")
      return try db.copyRows(
        from: "SELECT id, title FROM book WHERE id > \(3)", into: "word",
        columns: ["book", "word"]
      ) { row in
        let last = (try row["title"] as String).split(separator: " ").last
        return last == "World" ? nil : [try row["id"] as Int, last.map(String.init)]
      }
    }

    #expect(count == 1)
    #expect(try database.rows("SELECT * FROM word") == ["5|Messiah"])
  }

  @Test func `copyRows evaluates a query on its target table before it inserts any row`() throws {
    let database = try LibraryFile.open()
    for query in ["SELECT name FROM author", "SELECT name FROM author ORDER BY name"] as [SQL] {
      try database.step { db in
        try db.copyRows(from: query, into: "author", columns: ["name"]) { row in
          [try row["name"] as String + " jr."]
        }
      }
    }

    #expect(try database.rows("SELECT count(*) FROM author") == ["8"])
  }

  @Test func `convertRows converts 100,000 rows`() throws {
    let database = try Database.inMemory()
    try database.write { db in
      try db.executeScript(
        """
        CREATE TABLE book (id INTEGER PRIMARY KEY, pages INTEGER);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
        INSERT INTO book SELECT i, 0 FROM n;
        """)
    }

    try database.step { db in
      try db.convertRows(of: "book", reading: ["id"], writing: ["pages"]) { row in
        [try row[0] as Int % 900]
      }
    }

    #expect(try database.rows("SELECT sum(pages = id % 900) FROM book") == ["100000"])
  }
}
