import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

/// Tests of table definitions in unusual but valid SQL styles.
@Suite struct WrittenTextTests {
  private static let texts: [SQL] = [
    "CREATE TABLE book(id INTEGER PRIMARY KEY,pages TEXT DEFAULT '1,2)' CHECK(pages<>'(,'),title)",
    """
    create table if not exists main."book" -- (the books, all
    (
      [id] integer primary key, /* the pages, TEXT */ `pages` DECIMAL(10, 2) NOT NULL DEFAULT (abs(1)),
      'title' TEXT -- , ) the title
    ) -- )
    """,
    """
    CREATE TABLE "book" ("id" INTEGER, "pages" TEXT COLLATE NOCASE, "title" TEXT, "check" TEXT,
      CONSTRAINT key PRIMARY KEY ("id"), CHECK ("book"."check" <> ')' AND book.title <> '"'))
    """,
    """
    CREATE TABLE book (id INTEGER PRIMARY KEY, "PAGES" TEXT REFERENCES book(id) DEFERRABLE,
      title TEXT AS (CAST(id AS TEXT) || ',') STORED CHECK (title <> 'a') CHECK (title <> 'b'))
    """,
  ]

  /// Creates a table by a statement, and expects that its column `pages` can be changed.
  private func changedDatabase(_ text: SQL) throws -> Database {
    let database = try Database.inMemory()
    try database.write { db in
      try db.execute(text)
      try db.execute("INSERT INTO book(id, pages) VALUES (7, '7')")
    }
    let others = try database.rows("SELECT id, title FROM book")

    try database.step { db in
      try db.changeColumn("pages", of: "book", to: "INTEGER /* , */ NOT NULL DEFAULT (1 + 1) -- )")
    }

    #expect(try database.rows("SELECT id, title FROM book") == others)
    #expect(try database.rows("SELECT pages, typeof(pages) FROM book") == ["7|integer"])
    let column = try database.read { db in
      try db.columns(of: "book").first { $0.name.lowercased() == "pages" }
    }
    #expect(column?.type == "INTEGER")
    #expect(column?.isRequired == true)
    #expect(column?.defaultValue == "1 + 1")
    return database
  }

  @Test(arguments: texts)
  func `changeColumn, splitTable and mergeTable accept comments and any quotes in CREATE TABLE`(
    _ text: SQL
  )
    throws
  {
    let database = try changedDatabase(text)

    try database.step { db in
      try db.splitTable("book", moving: ["pages"], to: "leaf", key: "id")
      try db.mergeTable("leaf", into: "book", key: "id")
    }

    #expect(try database.rows("SELECT pages, typeof(pages) FROM book") == ["7|integer"])
    #expect(try database.integrityCheck() == [])
  }

  @Test
  func `a column that a table constraint uses can be changed, but not moved to another table`()
    throws
  {
    let database = try changedDatabase(
      """
      CREATE TABLE "book" ("id" INTEGER, "pages" TEXT COLLATE NOCASE, "title" TEXT,
        CONSTRAINT key PRIMARY KEY ("id"), CHECK ("book"."pages" <> ')' AND book.title <> '"'))
      """)

    try database.refuses("split", "pages") { db in
      try db.splitTable("book", moving: ["pages"], to: "leaf", key: "id")
    }

    #expect(try database.rows("SELECT pages, typeof(pages) FROM book") == ["7|integer"])
    #expect(try database.integrityCheck() == [])
  }

  @Test(arguments: [
    "TEXT, evil TEXT", "TEXT) --", "TEXT; DROP TABLE log", "TEXT CHECK (pages > 0", ") STRICT (",
  ])
  func `changeColumn rejects text that is not exactly one column definition`(_ text: String)
    throws
  {
    let database = try LibraryFile.open()
    try database.refuses("is not a column definition") { db in
      try db.changeColumn("blurb", of: "book", to: SQL(unchecked: text))
    }
    try database.refuses("is not a column definition") { db in
      try db.changeColumn("blurb", of: "book", to: "TEXT DEFAULT \(text)")
    }
  }

  @Test func `changeColumn throws if the new definition of a primary key column omits PRIMARY KEY`()
    throws
  {
    let database = try LibraryFile.open()

    try database.refuses("no longer be the primary key") { db in
      try db.changeColumn("id", of: "author", to: "INTEGER")
    }

    try database.step { db in
      try db.changeColumn("id", of: "author", to: "INTEGER PRIMARY KEY AUTOINCREMENT")
      try db.execute("DELETE FROM book WHERE author = 2")
      try db.execute("DELETE FROM author WHERE id = 2")
      try db.execute("INSERT INTO author(name) VALUES ('Wolfe')")
    }

    #expect(try database.rows("SELECT id FROM author") == ["1", "3"])
  }

  @Test
  func `a column whose name begins or ends with a combining accent can be changed and renamed`()
    throws
  {
    let database = try Database.inMemory()
    let (table, column) = ("\u{301}book\u{301}", "\u{301}'\"\u{301}")
    try database.write { db in
      try db.execute(
        "CREATE TABLE \(identifier: table) (id INTEGER PRIMARY KEY, \(identifier: column) TEXT)")
      try db.execute("INSERT INTO \(identifier: table) VALUES (1, '5')")
    }

    try database.step { db in
      try db.changeColumn(column, of: table, to: "INTEGER")
      try db.renameColumn(column, of: table, to: "pages")
    }

    #expect(try database.rows("SELECT typeof(pages) FROM \(identifier: table)") == ["integer"])
    #expect(try database.read { db in try db.tableExists(table) })
  }

  @Test func `a column whose name begins with a single quote can be changed and renamed`() throws {
    let database = try Database.inMemory()
    let (table, column) = ("'tis'", "'Twas")
    try database.write { db in
      try db.execute(
        """
        CREATE TABLE \(identifier: table) (
          id INTEGER PRIMARY KEY, \(identifier: column) TEXT, other TEXT,
          CHECK (\(identifier: column) <> 'none' AND \(identifier: table).id > 0))
        """)
      try db.execute(
        "CREATE INDEX \(identifier: "'by") ON \(identifier: table)(\(identifier: column))")
      try db.execute("INSERT INTO \(identifier: table) VALUES (1, '5', 'x')")
    }

    try database.step { db in
      try db.dropColumn("other", of: table)
      try db.changeColumn(column, of: table, to: "INTEGER")
      try db.renameTable(table, to: "'book")
      try db.renameColumn(column, of: "'book", to: "'pages")
    }

    #expect(try database.rows("SELECT typeof(\"'pages\") FROM \"'book\"") == ["integer"])
    #expect(try database.rows("SELECT count(*) FROM pragma_index_list('''book')") == ["1"])
  }
}
