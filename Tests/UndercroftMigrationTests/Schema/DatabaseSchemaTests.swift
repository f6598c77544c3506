import Testing
import UndercroftMigration
import UndercroftSQLite

/// Tests of the equality and the differences of schemas.
struct DatabaseSchemaTests {
  private static func schema(_ script: SQL) throws -> DatabaseSchema {
    try DatabaseSchema(of: script)
  }

  @Test(arguments: [
    "CREATE TABLE \"book\" (\"id\" INTEGER PRIMARY KEY, \"title\" TEXT NOT NULL)",
    "create table book(id integer primary key,title text not null)",
    "CREATE TABLE IF NOT EXISTS [Book] (`ID` INTEGER PRIMARY KEY, -- the key\n title TEXT /* ! */ NOT NULL)",
  ])
  func `schemas that differ only in whitespace, comments, quotes or the case of names are equal`(
    sql: String
  )
    throws
  {
    let other = try Self.schema("CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL)")
    #expect(try Self.schema(SQL(unchecked: sql)) == other)
  }

  @Test func `schemas that differ only in a byte order mark between tokens are equal`() throws {
    let marked = try Self.schema("\u{FEFF}CREATE TABLE book (\u{FEFF}id INTEGER, a\u{FEFF} TEXT)")
    #expect(try marked == Self.schema("CREATE TABLE book (id INTEGER, a\u{FEFF} TEXT)"))
  }

  @Test func `schemas that differ only in the order of objects are equal`() throws {
    let one = try Self.schema("CREATE TABLE book (id INTEGER); CREATE TABLE shelf (id INTEGER)")
    let other = try Self.schema("CREATE TABLE shelf (id INTEGER); CREATE TABLE book (id INTEGER)")
    #expect(one == other)
    #expect(one.hashValue == other.hashValue)
    #expect(one.difference(from: other).isEmpty)
  }

  @Test func `schemas that differ in the order of columns are not equal`() throws {
    let one = try Self.schema("CREATE TABLE book (id INTEGER, title TEXT)")
    let other = try Self.schema("CREATE TABLE book (title TEXT, id INTEGER)")
    #expect(one != other)
    #expect(
      one.difference(from: other).description
        == "~ table book: ~ order of columns: title, id -> id, title")
    let between = try Self.schema("CREATE TABLE book (id INTEGER, isbn TEXT, title TEXT)")
    #expect(
      between.difference(from: one).description == """
        ~ table book: + isbn TEXT
        ~ table book: ~ order of columns: id, title -> id, isbn, title
        """)
  }

  @Test(arguments: [
    "id INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE, isbn TEXT CHECK (isbn <> '')",
    "isbn TEXT CHECK (isbn <> ''), title TEXT NOT NULL UNIQUE, id INTEGER PRIMARY KEY",
    "title TEXT NOT NULL UNIQUE, isbn TEXT CHECK (isbn <> ''), -- first\n id INTEGER PRIMARY KEY",
  ])
  func `a table that has the declared columns in a different order requires no schema change`(
    columns: String
  )
    throws
  {
    let file = try Self.schema(SQL(unchecked: "CREATE TABLE book (\(columns))"))
    let declared = try Self.schema(
      """
      CREATE TABLE book (
        id INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE, isbn TEXT CHECK (isbn <> ''))
      """)

    #expect(file.changes(toContain: declared).isEmpty)
  }

  @Test func `comparing schemas finds changes of a table regardless of the order of its columns`()
    throws
  {
    let declared = try Self.schema(
      "CREATE TABLE loan (book INTEGER, reader TEXT, day TEXT, PRIMARY KEY (book, day)) WITHOUT ROWID"
    )
    func changes(_ columns: String) throws -> String {
      try Self.schema(SQL(unchecked: "CREATE TABLE loan (\(columns)"))
        .changes(toContain: declared).description
    }

    #expect(
      try changes("day TEXT, book INTEGER, reader TEXT, PRIMARY KEY (book, day)) WITHOUT ROWID")
        == "")
    #expect(
      try changes("day TEXT, book INTEGER, PRIMARY KEY (book, day)) WITHOUT ROWID")
        == "~ table loan: + reader TEXT")
    // The order of a key determines its index.
    #expect(
      try changes("day TEXT, book INTEGER, reader TEXT, PRIMARY KEY (day, book)) WITHOUT ROWID")
        == """
        ~ table loan: + PRIMARY KEY (book, day)
        ~ table loan: - PRIMARY KEY (day, book)
        """)
    #expect(
      try changes("day TEXT, book INTEGER, reader TEXT, PRIMARY KEY (book, day))")
        == "~ table loan: ~ no option -> WITHOUT ROWID")
  }

  @Test func `another order of the columns of a virtual table is a schema difference`() throws {
    let declared = try Self.schema("CREATE VIRTUAL TABLE words USING fts5(title, blurb)")
    let file = try Self.schema("CREATE VIRTUAL TABLE words USING fts5(blurb, title)")

    #expect(file.changes(toContain: declared).changed.map(\.new.name) == ["words"])
  }

  @Test
  func `a table whose generated column is not at its declared position requires no schema change`()
    throws
  {
    let declared = try Self.schema(
      "CREATE TABLE book (id INTEGER, sort TEXT AS (lower(title)) STORED, title TEXT)")
    let file = try Self.schema(
      "CREATE TABLE book (sort TEXT AS (lower(title)) STORED, title TEXT, id INTEGER)")

    #expect(file.changes(toContain: declared).isEmpty)
    #expect(!declared.difference(from: file).isEmpty)
  }

  @Test func `schemas whose DEFAULT strings differ in case or Unicode form are not equal`() throws {
    let one = try Self.schema("CREATE TABLE book (kind TEXT DEFAULT 'Novel')")
    #expect(try one != Self.schema("CREATE TABLE book (kind TEXT DEFAULT 'novel')"))
    let composed = try Self.schema("CREATE TABLE book (kind TEXT DEFAULT '\u{e9}')")
    let decomposed = try Self.schema("CREATE TABLE book (kind TEXT DEFAULT 'e\u{301}')")
    #expect(composed != decomposed)
    #expect(!composed.difference(from: decomposed).isEmpty)
  }

  @Test func `a schema excludes internal tables of SQLite, of the migrator and of virtual tables`()
    throws
  {
    let schema = try Self.schema(
      """
      CREATE TABLE book (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT UNIQUE);
      CREATE TABLE undercroft_migration (version TEXT);
      CREATE TABLE undercroft_migration_slice (version TEXT);
      CREATE INDEX versions ON undercroft_migration (version);
      CREATE VIRTUAL TABLE book_search USING fts5(title, content='book', content_rowid='id');
      CREATE VIRTUAL TABLE place USING rtree(id, x1, x2);
      ANALYZE
      """)
    #expect(schema.objects.map(\.name) == ["book", "book_search", "place"])
  }

  @Test func `a schema difference lists changed tables, columns, indexes and views`() throws {
    let old = try Self.schema(
      """
      CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, pages INTEGER, blurb TEXT);
      CREATE TABLE shelf (id INTEGER);
      CREATE INDEX book_title ON book (title);
      CREATE VIEW thick AS SELECT * FROM book WHERE pages > 500
      """)
    let new = try Self.schema(
      """
      CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, pages INTEGER NOT NULL, isbn TEXT, CHECK (pages > 0));
      CREATE TABLE review (id INTEGER PRIMARY KEY, text TEXT, UNIQUE (text)) STRICT;
      CREATE UNIQUE INDEX book_isbn ON book (isbn);
      CREATE VIEW thick AS SELECT * FROM book WHERE pages > 600
      """)

    let difference = new.difference(from: old)

    #expect(
      difference.description == """
        - table shelf
        - index book_title
        ~ table book: ~ pages INTEGER -> pages INTEGER NOT NULL
        ~ table book: + isbn TEXT
        ~ table book: - blurb TEXT
        ~ table book: + CHECK (pages > 0)
        ~ view thick: - CREATE VIEW thick AS SELECT * FROM book WHERE pages > 500
        ~ view thick: + CREATE VIEW thick AS SELECT * FROM book WHERE pages > 600
        + table review (id INTEGER PRIMARY KEY, text TEXT, UNIQUE (text))
        + index book_isbn: CREATE UNIQUE INDEX book_isbn ON book (isbn)
        """)

    let change = try #require(difference.changed.first)
    #expect(change.addedColumns == ["isbn"])
    #expect(change.removedColumns == ["blurb"])
    #expect(change.changedColumns == ["pages"])
    #expect(difference.added.map(\.name) == ["review", "book_isbn"])
  }

  @Test func `a schema difference lists changed table options`() throws {
    let old = try Self.schema("CREATE TABLE book (id INTEGER PRIMARY KEY)")
    let new = try Self.schema("CREATE TABLE book (id INTEGER PRIMARY KEY) STRICT, WITHOUT ROWID")
    #expect(
      new.difference(from: old).description
        == "~ table book: ~ no option -> STRICT , WITHOUT ROWID")
  }

  @Test
  func `an undeclared column is a schema difference, but an undeclared table or index is not`()
    throws
  {
    let declared = try Self.schema("CREATE TABLE book (id INTEGER, title TEXT)")
    let more = try Self.schema(
      """
      CREATE TABLE book (id INTEGER, title TEXT);
      CREATE TABLE note (text TEXT);
      CREATE INDEX "undercroft.book.title" ON book (title);
      CREATE TRIGGER noted AFTER INSERT ON book BEGIN SELECT 1; END
      """)

    #expect(more.changes(toContain: declared).isEmpty)
    #expect(
      declared.changes(toContain: more).added.map(\.name) == [
        "note", "undercroft.book.title", "noted",
      ])

    let other = try Self.schema("CREATE TABLE book (id INTEGER, title TEXT, extra TEXT)")
    #expect(other.changes(toContain: declared).description == "~ table book: - extra TEXT")
    #expect(
      try Self.schema("CREATE TABLE note (x)").changes(toContain: declared).description
        == "+ table book (id INTEGER, title TEXT)")
  }

  @Test
  func `a column added with ALTER TABLE equals the same column declared in CREATE TABLE`() throws {
    let one = try Self.schema(
      "CREATE TABLE book (id INTEGER, CHECK (id > 0)); ALTER TABLE book ADD COLUMN isbn TEXT")
    let other = try Self.schema("CREATE TABLE book (id INTEGER, isbn TEXT, CHECK (id > 0))")
    #expect(one == other)
  }

  @Test func `comparing schemas does not interpret names with SQL syntax as SQL`() throws {
    let odd = "a\"b]c`d'e -- f\n/* g ("
    let name: SQL = "\(identifier: odd)"
    let old = try Self.schema("CREATE TABLE \(name) (x INTEGER)")
    let new = try Self.schema("CREATE TABLE \(name) (x INTEGER, \(name) TEXT)")

    let change = try #require(new.difference(from: old).changed.first)
    #expect(change.addedColumns == [odd])
    #expect(!new.difference(from: old).description.contains("\n"))
    #expect(new.difference(from: old).description.contains("\\u{a}"))
  }

  @Test func `two schemas of two thousand tables can be compared`() throws {
    let database = try Database.inMemory()
    try database.write { db in
      let tables = (0..<2_000).map { "CREATE TABLE \"table \($0)\" (id INTEGER, name TEXT);" }
      try db.executeScript(SQL(unchecked: tables.joined()))
    }

    let schema = try database.read { db in try DatabaseSchema(of: db) }
    #expect(schema.objects.count == 2_000)
    #expect(schema.difference(from: schema).isEmpty)
  }
}
