import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftRelational
import UndercroftSQLite

@Suite struct SplittingTests {
  @Test func `splitTable moves columns to a new table, and mergeTable moves the columns back`()
    throws
  {
    let database = try LibraryFile.open()
    let before = try database.rows("SELECT id, title, isbn, pages, blurb, author FROM book")

    try database.step { db in
      try db.execute("CREATE INDEX by_blurb ON book(blurb COLLATE NOCASE) WHERE book.blurb <> ''")
      try db.splitTable("book", moving: ["blurb", "ISBN"], to: "book_detail", key: "id")
    }

    #expect(
      try database.rows("SELECT * FROM book_detail") == ["3|Sand.|1", "5|-|2", "8|Snow.|3"])
    #expect(try database.read { db in try db.columnExists("blurb", of: "book") } == false)
    #expect(
      try database.rows("SELECT tbl_name FROM sqlite_schema WHERE name = 'by_blurb'") == [
        "book_detail"
      ])
    #expect(throws: StorageError.self) {
      try database.write { db in
        try db.execute("INSERT INTO book_detail(id, isbn) VALUES (4, '9')")
      }
    }
    try database.requireWhole()

    try database.step { db in try db.mergeTable("book_detail", into: "book", key: "id") }

    #expect(
      try database.rows("SELECT id, title, isbn, pages, blurb, author FROM book") == before)
    #expect(try database.read { db in try db.tableExists("book_detail") } == false)
    #expect(
      try database.rows("SELECT tbl_name FROM sqlite_schema WHERE name = 'by_blurb'") == ["book"])
    #expect(throws: StorageError.self) {
      try database.write { db in try db.execute("INSERT INTO book(title, isbn) VALUES ('x', '1')") }
    }
    try database.requireWhole()
  }

  @Test func `splitting a table with NULL keys throws`() throws {
    let database = try Database.inMemory()
    try database.write { db in
      try db.executeScript(
        """
        CREATE TABLE note (code TEXT PRIMARY KEY, page INTEGER, line TEXT);
        INSERT INTO note VALUES (NULL, 1, 'one'), (NULL, 2, 'two'), ('c', 3, 'three')
        """)
    }

    try database.refuses("the key \"code\" is NULL in 2 rows", code: .constraintViolated) { db in
      try db.splitTable("note", moving: ["line"], to: "note_detail", key: "code")
    }

    #expect(try database.rows("SELECT count(*) FROM note WHERE line IS NOT NULL") == ["3"])
  }

  @Test
  func `a table with declared indexes and a declared full-text index can be split and merged`()
    throws
  {
    let database = try DeclaredPages.open()

    try database.step { db in
      try db.splitTable("page", moving: ["section", "text"], to: "page_detail", key: "id")
    }

    #expect(try database.rows("SELECT section FROM page_detail") == ["intro", "body"])

    try database.write { db in try DeclaredPages.Detail.table.prepare(in: db) }
    try database.step { db in try db.mergeTable("page_detail", into: "page", key: "id") }

    #expect(try database.rows("SELECT section FROM page") == ["intro", "body"])
    try database.requireWhole(words: nil)
  }

  @Test
  func `after splitTable, deleting a row also deletes the row with the same key in the new table`()
    throws
  {
    let database = try LibraryFile.open()
    try database.step { db in
      try db.splitTable("book", moving: ["blurb"], to: "book_detail", key: "id")
    }

    try database.write { db in try db.execute("DELETE FROM book WHERE id = 5") }

    #expect(try database.rows("SELECT id FROM book_detail") == ["3", "8"])
  }

  @Test func `an invalid splitTable or mergeTable call throws and leaves the schema unchanged`()
    throws
  {
    let database = try LibraryFile.open()

    try database.refuses("\"title\" is not the primary key of \"book\"", "\"id\"") { db in
      try db.splitTable("book", moving: ["blurb"], to: "detail", key: "title")
    }
    try database.refuses("already exists") { db in
      try db.splitTable("book", moving: ["blurb"], to: "loan", key: "id")
    }
    try database.refuses("is a generated column") { db in
      try db.splitTable("book", moving: ["shown"], to: "detail", key: "id")
    }
    try database.refuses("the index \"book_title\"", "but also the column \"pages\"") { db in
      try db.splitTable("book", moving: ["title"], to: "detail", key: "id")
    }
    try database.refuses("full-text table \"words\"") { db in
      try db.executeScript("DROP INDEX book_title; DROP INDEX book_upper")
      try db.splitTable("book", moving: ["title"], to: "detail", key: "id")
    }
    try database.refuses("the argument \"moving\" names no column") { db in
      try db.splitTable("book", moving: [], to: "detail", key: "id")
    }
    try database.refuses("part of the primary key") { db in
      try db.splitTable("author", moving: ["id", "name"], to: "detail", key: "id")
    }
    try database.refuses("no row with the same key in \"book\"") { db in
      try db.execute("CREATE TABLE detail (id INTEGER PRIMARY KEY, cover TEXT)")
      try db.execute("INSERT INTO detail VALUES (3, 'red'), (77, 'blue')")
      try db.mergeTable("detail", into: "book", key: "id")
    }
    try database.refuses("duplicate column name") { db in
      try db.execute("CREATE TABLE detail (id INTEGER PRIMARY KEY, title TEXT)")
      try db.mergeTable("detail", into: "book", key: "id")
    }
    try database.refuses("CHECK (cover <> back) of \"detail\" would be lost") { db in
      try db.execute(
        """
        CREATE TABLE detail (id INTEGER, cover TEXT, back TEXT, CHECK (cover <> back),
          PRIMARY KEY (id), FOREIGN KEY (id) REFERENCES book (id))
        """)
      try db.mergeTable("detail", into: "book", key: "id")
    }
    try database.refuses("\"other\" depends on \"detail\"") { db in
      try db.execute("CREATE TABLE detail (id INTEGER PRIMARY KEY, cover TEXT)")
      try db.execute("CREATE TABLE other (detail REFERENCES detail(id))")
      try db.mergeTable("detail", into: "book", key: "id")
    }
    try database.requireWhole()
  }
}
