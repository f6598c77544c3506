import BehaviourTrait
import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftRelational
import UndercroftSQLite

@Suite struct DroppingTests {
  @Test(.behaviour("A-GY-09"))
  func `dropping a column drops the indexes and constraints of that column and no others`() throws {
    let database = try LibraryFile.open()
    let before = try database.rows("SELECT id, title, pages, sequel, author, shown FROM book")
    try database.step { db in
      try db.execute("CREATE INDEX by_blurb ON book(blurb) WHERE blurb <> ''")
      try db.dropColumn("blurb", of: "book")
      try db.dropColumn("ISBN", of: "book")
      try db.dropColumn("sequel", of: "book")
    }

    try #expect(
      database.rows("SELECT id, title, pages, author, shown FROM book").count == before.count)
    let names = try database.read { db in try db.columns(of: "book").map(\.name) }
    #expect(names == ["id", "title", "pages", "author", "shown"])
    let left = try database.texts().filter { $0.hasPrefix("index") || $0.hasPrefix("trigger") }
    #expect(left.count == 6)

    try database.write { db in try db.execute("INSERT INTO book(title) VALUES ('Next')") }
    #expect(try database.rows("SELECT max(id) FROM book") == ["10"])
    try database.requireWhole()
  }

  @Test func `dropping an indexed column throws if the index's WHERE clause uses another column`()
    throws
  {
    let database = try LibraryFile.open()
    try database.write { db in
      try db.execute("CREATE UNIQUE INDEX one_blurb ON book(blurb) WHERE author = 1")
    }

    try database.refuses("\"one_blurb\"", "but also the column \"author\"") { db in
      try db.dropColumn("blurb", of: "book")
    }

    try database.requireWhole()
  }

  @Test(arguments: [
    "CREATE INDEX by_place ON slot(label) WHERE \"rowid\" IS NOT NULL",
    "CREATE VIEW numbered AS SELECT \"rowid\" AS number FROM slot",
    """
    CREATE TRIGGER noted AFTER UPDATE OF label ON slot
    BEGIN UPDATE slot SET label = '' WHERE "rowid" = 1; END
    """,
  ])
  func `dropping a column named rowid throws if an index, a view or a trigger uses the column`(
    user: String
  ) throws {
    let database = try Database.inMemory()
    try database.write { db in
      try db.execute("CREATE TABLE slot (id TEXT PRIMARY KEY, \"rowid\" TEXT, label TEXT)")
      try db.execute("INSERT INTO slot VALUES ('a', NULL, 'x'), ('b', 'y', 'z')")
      try db.execute(SQL(unchecked: user))
    }

    try database.refuses("slot") { db in try db.dropColumn("rowid", of: "slot") }

    #expect(try database.integrityCheck() == [])
  }

  @Test
  func `dropColumn succeeds even if declared indexes or a declared full-text table use the column`()
    throws
  {
    let database = try DeclaredPages.open()

    try database.step { db in
      try db.dropColumn("section", of: "page")
      try db.dropColumn("text", of: "page")
    }

    let names = try database.read { db in try db.schema().map(\.name) }
    #expect(names.sorted() == ["page", "undercroft.page.title"])
    try database.requireWhole(words: nil)
  }

  @Test
  func `rebuilding a table without a column drops the declared indexes that use the column`() throws
  {
    let database = try DeclaredPages.open()

    try database.step { db in
      try db.rebuildTable(
        "page", as: "CREATE TABLE page (id INTEGER PRIMARY KEY, title TEXT NOT NULL, text TEXT)",
        dropping: ["section"])
    }

    let indexes = try database.read { db in
      try db.schema().filter { $0.kind == .index }.map(\.name)
    }
    #expect(indexes == ["undercroft.page.title"])
    try database.requireWhole(words: "page_search")
  }

  @Test func `dropping a column throws an error that names the objects that need the column`()
    throws
  {
    let database = try LibraryFile.open()
    try database.write { db in
      try db.executeScript(
        """
        CREATE TABLE shelf (
          room TEXT, place INTEGER, label TEXT, note TEXT, PRIMARY KEY (room, place),
          UNIQUE (label, place), CHECK (note <> room));
        ALTER TABLE log ADD COLUMN time TEXT;
        CREATE TABLE part (label TEXT, place INTEGER,
          FOREIGN KEY (label, place) REFERENCES shelf(label, place));
        CREATE INDEX log_both ON log(entry, time);
        """)
    }

    try database.refuses("primary key") { db in try db.dropColumn("room", of: "shelf") }
    try database.refuses("a foreign key of \"part\"") { db in
      try db.dropColumn("label", of: "shelf")
    }
    try database.refuses("no such column: note") { db in try db.dropColumn("note", of: "shelf") }
    try database.refuses("log_both", "rebuildTable") { db in
      try db.dropColumn("time", of: "log")
    }
    try database.refuses("in foreign key definition") { db in
      try db.dropColumn("place", of: "part")
    }
    try database.refuses("the full-text table \"words\" reads the column \"title\"") { db in
      try db.dropColumn("title", of: "book")
    }
    try database.refuses("long_book", "before this call") { db in
      try db.execute("DROP INDEX book_title")
      try db.dropColumn("pages", of: "book")
    }
    try database.refuses("the table \"book\" has no column \"x\"") { db in
      try db.dropColumn("x", of: "book")
    }
    try database.refuses("cannot drop column") { db in
      try db.execute("DROP INDEX log_both")
      try db.dropColumn("time", of: "log")
      try db.dropColumn("entry", of: "log")
    }
    try database.requireWhole()
  }

  @Test(.behaviour("A-GY-09"))
  func `a declared table can be written and read after its columns were renamed or dropped`() throws
  {
    struct Old: TableRecord {
      var id: Int64?
      var title: String
      var blurb: String?
      var pages: String?
      static let table = Table(
        "book", Old.init, Column("id", \.id).primaryKey(), Column("title", \.title).indexed(),
        Column("blurb", \.blurb), Column("pages", \.pages)
      ).fullText(\.title, \.blurb)
    }
    struct New: TableRecord, Equatable {
      var id: Int64?
      var heading: String
      var pages: Int
      static let table = Table(
        "volume", New.init, Column("id", \.id).primaryKey(),
        Column("heading", \.heading).indexed(), Column("pages", \.pages).default(0)
      ).fullText(\.heading)
    }
    let database = try Database.inMemory(DatabaseOptions(schemaOwner: .migrations))
    try database.write { db in
      try Old.table.insertAll(
        [Old(title: "Dune", blurb: "Sand.", pages: "412"), Old(title: "Tehanu")],
        in: db)
    }

    try database.step { db in
      try db.dropColumn("blurb", of: "book")
      try db.renameColumn("title", of: "book", to: "heading")
      try db.changeColumn(
        "pages", of: "book", to: "INTEGER NOT NULL DEFAULT 0", converting: "ifnull(pages, 0)")
      try db.renameTable("book", to: "volume")
    }

    let found = try database.write { db in
      try New.table.insert(New(heading: "Dune Messiah", pages: 256), in: db)
      return try New.search(matching: "dune").order { $0.id }.fetchAll(in: db)
    }

    #expect(
      found == [
        New(id: 1, heading: "Dune", pages: 412), New(id: 3, heading: "Dune Messiah", pages: 256),
      ])
    #expect(try database.read { db in try New.find(2, in: db)?.pages } == 0)
    let indexes = try database.texts().filter { $0.hasPrefix("index") }
    #expect(indexes.map { $0.contains("undercroft.volume.heading") } == [true])
    try database.requireWhole(words: "volume_search")
  }
}
