import BehaviourTrait
import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftRelational
import UndercroftSQLite

@Suite struct RenamingTests {
  @Test(.behaviour("A-GY-09"))
  func `renaming a table retains its rows and updates all references to it`() throws {
    let database = try LibraryFile.open()
    let before = try database.rows("SELECT * FROM book")

    try database.step { db in try db.renameTable("book", to: "volume") }

    #expect(try database.rows("SELECT * FROM volume") == before)
    #expect(try database.rows("SELECT title FROM lent") == ["Dune"])
    #expect(try database.rows("SELECT rowid FROM words('messiah')") == ["5"])
    #expect(try database.rows("SELECT v FROM words_config WHERE k = 'rank'") == ["bm25(10.0)"])

    try database.write { db in
      try db.execute("INSERT INTO volume(title) VALUES ('Dune Again')")
      try db.execute("DELETE FROM volume WHERE id = 5")
      try db.execute("INSERT INTO loan(book) VALUES (10)")
      try db.execute("DELETE FROM volume WHERE id = 3")
    }

    #expect(try database.rows("SELECT rowid FROM words('dune')") == ["10"])
    #expect(try database.rows("SELECT entry FROM log").last == "Dune Again")
    #expect(try database.rows("SELECT book FROM loan") == ["8", "10"])
    try database.requireWhole()
  }

  @Test(.behaviour("A-GY-09"))
  func `renaming a column retains its values and updates all references to it`() throws {
    let database = try LibraryFile.open()

    try database.step { db in try db.renameColumn("TITLE", of: "Book", to: "heading") }

    #expect(
      try database.rows("SELECT id, heading, isbn, pages FROM book ORDER BY id LIMIT 1")
        == ["3|Dune|1|412"])
    #expect(try database.rows("SELECT rowid FROM words('heading: messiah')") == ["5"])

    try database.write { db in
      try db.execute("INSERT INTO book(heading) VALUES ('Tehanu')")
      try db.execute("DELETE FROM book WHERE id = 5")
    }

    #expect(try database.rows("SELECT rowid FROM words('messiah OR tehanu')") == ["10"])
    try database.requireWhole()
  }

  @Test func `renaming the content_rowid column of a full-text table updates the full-text table`()
    throws
  {
    let database = try LibraryFile.open()

    try database.step { db in try db.renameColumn("id", of: "book", to: "number") }

    #expect(try database.rows("SELECT rowid FROM words('messiah')") == ["5"])
    try database.requireWhole()
  }

  @Test func `a table or column can be renamed to the same letters in another case`() throws {
    let database = try LibraryFile.open()

    try database.step { db in
      try db.renameTable("book", to: "Book")
      try db.renameColumn("title", of: "Book", to: "Title")
    }

    #expect(try database.read { db in try db.columns(of: "Book")[1].name } == "Title")
    #expect(
      try database.rows("SELECT name FROM sqlite_schema WHERE name = 'Book'") == ["Book"])
    #expect(try database.rows("SELECT rowid FROM words('messiah')") == ["5"])
    try database.requireWhole()
  }

  @Test
  func `renaming throws if the object is missing or is no ordinary table, or the new name exists`()
    throws
  {
    let database = try LibraryFile.open()

    try database.refuses("rename the table \"shelf\"", "the database has no table") { db in
      try db.renameTable("shelf", to: "x")
    }
    try database.refuses("already another table") { db in try db.renameTable("book", to: "Loan") }
    try database.refuses("is a view") { db in try db.renameTable("lent", to: "x") }
    try database.refuses("virtual table") { db in try db.renameTable("words", to: "x") }
    try database.refuses("an internal table of SQLite") { db in
      try db.renameTable("sqlite_sequence", to: "x")
    }
    try database.refuses("has no column \"x\"", "\"isbn\"") { db in
      try db.renameColumn("x", of: "book", to: "y")
    }
    try database.refuses("duplicate column name") { db in
      try db.renameColumn("isbn", of: "book", to: "title")
    }
    try database.requireWhole()
  }

  @Test func `renaming a table or column is rolled back if a view no longer compiles`() throws {
    let database = try LibraryFile.open()
    try database.write { db in
      try db.execute("CREATE VIEW plain AS SELECT isbn FROM book")
      try db.execute("CREATE VIEW above AS SELECT isbn FROM plain")
    }

    try database.refuses("above", "no such column: isbn", "before this call") { db in
      try db.renameColumn("isbn", of: "book", to: "code")
    }

    try database.write { db in
      try db.execute("DROP VIEW above")
      try db.execute("CREATE VIEW told AS SELECT title FROM words")
    }

    try database.refuses("told", "no such column: title") { db in
      try db.renameColumn("title", of: "book", to: "heading")
    }
    try database.requireWhole()
  }

  @Test
  func `renaming a table or dropping a column throws if a view of the schema is already invalid`()
    throws
  {
    let database = try LibraryFile.open()
    try database.write { db in try db.execute("CREATE VIEW torn AS SELECT * FROM gone") }

    try database.refuses("already invalid", "torn") { db in try db.renameTable("book", to: "x") }
    try database.refuses("already invalid", "torn") { db in try db.dropColumn("blurb", of: "book") }
  }

  @Test(arguments: ["select", "a \"b\" 'c'", "buch für [alle]", "書", "x; DROP TABLE log", "1.5"])
  func
    `tables and columns whose names contain SQL syntax can be renamed, changed, split and merged`(
      _ name: String
    ) throws
  {
    let database = try LibraryFile.open()
    let before = try database.rows("SELECT id, title, pages, blurb FROM book")

    try database.step { db in
      try db.renameTable("book", to: name)
      try db.renameColumn("title", of: name, to: name)
      try db.renameColumn("blurb", of: name, to: "\(name) 2")
      try db.changeColumn("pages", of: name, to: "INTEGER CHECK (pages > 1.5)")
      try db.splitTable(name, moving: ["\(name) 2"], to: "\(name) 3", key: "id")
      try db.mergeTable("\(name) 3", into: name, key: "id")
      try db.convertRows(of: name, reading: ["\(name) 2", name], writing: ["\(name) 2"]) { row in
        [try row["\(name) 2"] as String?]
      }
    }

    let (table, blurb) = (name, "\(name) 2")
    let after = try database.rows(
      "SELECT id, \(identifier: name), pages, \(identifier: blurb) FROM \(identifier: table)")
    #expect(after == before)
    #expect(try database.rows("SELECT rowid FROM words('messiah')") == ["5"])
    #expect(try database.rows("SELECT title FROM lent") == ["Dune"])
    try database.requireWhole()
  }
}
