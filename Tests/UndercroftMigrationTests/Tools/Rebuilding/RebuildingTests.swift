import BehaviourTrait
import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

@Suite struct RebuildingTests {
  private let definition: SQL = """
    CREATE TABLE "BOOK" (
      id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, isbn TEXT UNIQUE,
      pages INTEGER NOT NULL DEFAULT 0 CHECK (book.pages >= 0), blurb TEXT,
      sequel INTEGER REFERENCES book(id), author INTEGER REFERENCES author(id),
      rating INTEGER DEFAULT 3, shown TEXT AS (lower(title)) STORED
    )
    """

  @Test func `rebuilding a table retains its rows and all dependent objects`() throws {
    let database = try LibraryFile.open()
    let texts = try database.texts().filter { !$0.contains(/^(table book:|index sqlite_)/) }

    try database.step { db in
      try db.rebuildTable("book", as: definition, copying: ["pages": "CAST(pages AS INTEGER)"])
    }

    let after = try database.texts().filter { !$0.contains(/^(table BOOK:|index sqlite_)/) }
    #expect(after == texts)
    #expect(
      try database.rows("SELECT id, title, typeof(pages), rating, shown FROM book") == [
        "3|Dune|integer|3|dune", "5|Dune Messiah|integer|3|dune messiah",
        "8|Rocannon's World|integer|3|rocannon's world",
      ])

    try database.write { db in
      try db.execute("INSERT INTO book(title) VALUES ('Next')")
      try db.execute("UPDATE book SET title = 'Dune 2' WHERE id = 5")
    }
    #expect(try database.rows("SELECT id FROM book WHERE title = 'Next'") == ["10"])
    #expect(try database.rows("SELECT entry FROM log").last == "Dune Messiah > Dune 2")

    try database.write { db in
      try db.execute("UPDATE book SET title = 'Dune Messiah' WHERE id = 5")
    }
    try database.requireWhole()
  }

  @Test
  func `rebuildTable throws if a column becomes generated and is not listed as a dropped column`()
    throws
  {
    let database = try Database.inMemory()
    try database.write { db in
      try db.executeScript(
        """
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, sort_title TEXT);
        INSERT INTO book VALUES (1, 'The Word', 'Word, The')
        """)
    }
    let computed: SQL = """
      CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, sort_title TEXT AS (lower(title)))
      """

    try database.refuses("the values of the column \"sort_title\" would be lost") { db in
      try db.rebuildTable("book", as: computed)
    }

    try database.step { db in
      try db.rebuildTable("book", as: computed, dropping: ["sort_title"])
    }

    #expect(try database.rows("SELECT * FROM book") == ["1|The Word|the word"])
  }

  @Test
  func
    `rebuildTable deletes rows that fail its where condition, and throws if such a row is referenced`()
    throws
  {
    let database = try LibraryFile.open()

    try database.refuses("refers to a missing row of", code: .constraintViolated) { db in
      try db.rebuildTable("book", as: definition, where: "id <> 3")
    }

    try database.step { db in
      try db.execute("DELETE FROM loan WHERE book = 8")
      try db.rebuildTable(
        "book", as: definition, copying: ["title": "title || ' reread'"], where: "author = 1")
    }

    #expect(try database.rows("SELECT id FROM book ORDER BY id") == ["3", "5"])
    #expect(try database.rows("SELECT rowid FROM words('reread')") == ["3", "5"])
    try database.requireWhole()
  }

  @Test func `rebuildTable retains rowids and can add or remove STRICT and WITHOUT ROWID`()
    throws
  {
    let database = try Database.inMemory()
    try database.write { db in
      try db.executeScript(
        """
        CREATE TABLE note (oid TEXT, text TEXT, key TEXT);
        CREATE VIRTUAL TABLE note_words USING fts5(text, content=note);
        INSERT INTO note(rowid, oid, text, key)
          VALUES (7, 'x', 'seven', 'a'), (11, 'y', 'eleven', 'b');
        INSERT INTO note_words(note_words) VALUES ('rebuild');
        """)
    }

    try database.step { db in
      try db.rebuildTable("note", as: "CREATE TABLE note(text TEXT, oid TEXT, key TEXT) STRICT")
    }

    #expect(try database.rows("SELECT rowid, oid FROM note") == ["7|x", "11|y"])
    #expect(try database.rows("SELECT rowid FROM note_words('eleven')") == ["11"])
    try database.requireWhole(words: "note_words")

    try database.step { db in
      try db.rebuildTable(
        "note", as: "CREATE TABLE note(id INTEGER PRIMARY KEY, text TEXT, oid TEXT, key TEXT)")
    }

    #expect(try database.rows("SELECT id FROM note") == ["7", "11"])
    try database.requireWhole(words: "note_words")

    try database.step { db in
      try db.execute("DROP TABLE note_words")
      try db.rebuildTable(
        "note",
        as: "CREATE TABLE note(key TEXT PRIMARY KEY, text TEXT, id INTEGER) WITHOUT ROWID, STRICT",
        dropping: ["oid"])
    }

    #expect(try database.rows("SELECT * FROM note") == ["a|seven|7", "b|eleven|11"])

    try database.step { db in
      try db.rebuildTable("note", as: "CREATE TABLE note(key ANY PRIMARY KEY, text, id)")
    }

    #expect(try database.rows("SELECT * FROM note") == ["a|seven|7", "b|eleven|11"])
    try database.requireWhole(words: nil)
  }

  @Test
  func `changeColumn and convertRows accept a table whose columns are named rowid and oid`() throws
  {
    let database = try Database.inMemory()
    try database.write { db in
      try db.executeScript(
        """
        CREATE TABLE a (rowid TEXT, oid TEXT); INSERT INTO a(_rowid_, rowid) VALUES (5, 'five');
        CREATE TABLE b (rowid TEXT, oid TEXT, _rowid_); INSERT INTO b(rowid) VALUES ('five');
        """)
    }

    try database.step { db in
      for table in ["a", "b"] {
        try db.changeColumn("rowid", of: table, to: "TEXT NOT NULL", converting: "upper(rowid)")
      }
      try db.convertRows(of: "a", reading: ["rowid"], writing: ["oid"]) { row in
        [try row["rowid"] as String]
      }
    }

    #expect(try database.rows("SELECT _rowid_, rowid, oid FROM a") == ["5|FIVE|FIVE"])

    try database.refuses("no usable key") { db in
      try db.convertRows(of: "b", reading: ["rowid"], writing: ["oid"]) { _ in [1] }
    }
  }

  @Test
  func `rebuildTable throws if values would be lost or a dependent object would become invalid`()
    throws
  {
    let database = try LibraryFile.open()
    let short: SQL = "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, pages, author)"

    try database.refuses("the values of the column \"isbn\" would be lost") { db in
      try db.rebuildTable("book", as: short)
    }
    try database.refuses("the argument \"dropping\" names \"isnb\"") { db in
      try db.rebuildTable("book", as: definition, dropping: ["isnb"])
    }
    try database.refuses("the argument \"copying\" names \"tilte\"") { db in
      try db.rebuildTable("book", as: definition, copying: ["tilte": "title"])
    }
    try database.refuses("the index \"book_upper\" does not fit", "DROP INDEX \"book_upper\"") {
      db in
      try db.rebuildTable(
        "book", as: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, pages, isbn)",
        dropping: ["blurb", "sequel", "author"])
    }
    try database.refuses("book_noted", "old.title") { db in
      try db.executeScript(
        "DROP INDEX book_title; DROP INDEX book_upper; DROP VIEW lent; DROP VIEW long_book; DROP TRIGGER words_insert; DROP TRIGGER words_delete; DROP TRIGGER loan_noted; DROP TABLE words"
      )
      try db.rebuildTable(
        "book", as: "CREATE TABLE book (id INTEGER PRIMARY KEY, heading TEXT, pages)",
        copying: ["heading": "title"], dropping: ["isbn", "blurb", "sequel", "author"])
    }
    try database.refuses("not a CREATE TABLE statement") { db in
      try db.rebuildTable("book", as: "CREATE TABLE book AS SELECT 1")
    }
    try database.refuses("not a CREATE TABLE statement") { db in
      try db.rebuildTable("book", as: "CREATE TABLE loan (id)")
    }
    try database.refuses("syntax error", "correct the new definition") { db in
      try db.rebuildTable("book", as: "CREATE TABLE book (id INTEGER,)")
    }
    try database.refuses("more than one") { db in
      try db.rebuildTable("book", as: "CREATE TABLE book (id INTEGER); DROP TABLE log")
    }
    try database.requireWhole()
  }

  @Test
  func `if changeColumn violates a constraint, the error names the table, not a temporary table`()
    throws
  {
    let database = try LibraryFile.open()
    try database.refuses("NOT NULL constraint failed: book.blurb", code: .constraintViolated) {
      db in try db.changeColumn("blurb", of: "book", to: "TEXT NOT NULL")
    }
    try database.refuses("UNIQUE constraint failed: book.author", code: .constraintViolated) {
      db in try db.changeColumn("author", of: "book", to: "INTEGER UNIQUE REFERENCES author(id)")
    }
    try database.refuses("only 2 of 3 rows were copied", code: .constraintViolated) { db in
      try db.changeColumn("author", of: "book", to: "INTEGER UNIQUE ON CONFLICT IGNORE")
    }
    try database.requireWhole()
  }

  @Test func `rebuilding a referenced table throws if foreign keys are enforced`() throws {
    let database = try LibraryFile.open()

    let error = #expect(throws: StorageError.self) {
      try database.write { db in
        try db.rebuildTable("book", as: definition)
      }
    }

    #expect(error?.message.contains("foreign keys are enforced") == true)
    #expect(try database.rows("SELECT * FROM loan") == ["1|3", "2|8"])

    try database.write { db in
      try db.changeColumn("entry", of: "log", to: "TEXT NOT NULL DEFAULT ''")
      try db.changeColumn("book", of: "loan", to: "INT NOT NULL REFERENCES book(id)")
    }

    #expect(try database.rows("SELECT * FROM loan") == ["1|3", "2|8"])
    try database.requireWhole()
  }

  @Test func `dropping the UNIQUE constraint of a referenced parent key throws`() throws {
    let database = try Database.inMemory()
    try database.write { db in
      try db.executeScript(
        """
        CREATE TABLE book (id INTEGER PRIMARY KEY, isbn TEXT UNIQUE);
        CREATE TABLE copy (isbn TEXT REFERENCES book(isbn));
        INSERT INTO book VALUES (1, 'a'); INSERT INTO copy VALUES ('a');
        """)
    }

    try database.refuses("\"copy\" does not refer to a primary key") { db in
      try db.changeColumn("isbn", of: "book", to: "TEXT")
    }
    try database.refuses("a foreign key of \"copy\"") { db in
      try db.dropColumn("isbn", of: "book")
    }
  }

  @Test func `rebuildTable is rolled back if a trigger inserts too few values for the new columns`()
    throws
  {
    let database = try LibraryFile.open()
    try database.refuses("has 2 columns but 1 values", "book_noted") { db in
      try db.rebuildTable("log", as: "CREATE TABLE log (entry TEXT, time TEXT)")
    }
  }

  @Test
  func
    `renameTable, rebuildTable and copyRows do not change tables named like their temporary tables`()
    throws
  {
    let database = try LibraryFile.open()
    try database.write { db in
      for name in ["new", "new_2", "check", "rows", "name"] {
        try db.execute("CREATE TABLE \(identifier: "undercroft_migration_\(name)") (x)")
        try db.execute("INSERT INTO \(identifier: "undercroft_migration_\(name)") VALUES (1)")
      }
    }

    try database.step { db in
      try db.renameTable("book", to: "Book")
      try db.rebuildTable("book", as: definition)
      try db.copyRows(from: "SELECT entry FROM log", into: "log", columns: ["entry"]) { row in
        [try row[0] as String]
      }
    }

    #expect(try database.rows("SELECT * FROM undercroft_migration_new_2") == ["1"])
    try database.requireWhole()
  }

  @Test func `rebuilding a table of 100,000 rows retains all rows`() throws {
    let database = try Database.inMemory()
    try database.write { db in
      try db.executeScript(
        """
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, pages TEXT);
        CREATE INDEX book_title ON book(title);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
        INSERT INTO book SELECT i, 'title ' || i, i % 900 FROM n;
        """)
    }
    let before = try database.rows("SELECT count(*), sum(id), sum(pages) FROM book")

    try database.step { db in try db.changeColumn("pages", of: "book", to: "INTEGER NOT NULL") }

    #expect(try database.rows("SELECT count(*), sum(id), sum(pages) FROM book") == before)
    #expect(try database.rows("SELECT DISTINCT typeof(pages) FROM book") == ["integer"])
    try database.requireWhole(words: nil)
  }
}
