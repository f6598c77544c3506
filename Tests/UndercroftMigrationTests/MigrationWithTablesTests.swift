import BehaviourTrait
import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftRelational
import UndercroftSQLite

/// Tests of declared tables and a migrator that share one database.
@Suite struct MigrationWithTablesTests {
  struct Book: TableRecord, Equatable {
    var id: Int64?
    var title: String
    var isbn: String?

    static let table = Table(
      "book", Book.init, Column("id", \.id).primaryKey(), Column("title", \.title).indexed(),
      Column("isbn", \.isbn))
  }

  /// A table that no migration step mentions.
  struct Review: TableRecord, Equatable {
    var id: Int64?
    var text: String

    static let table = Table(
      "review", Review.init, Column("id", \.id).primaryKey(), Column("text", \.text))
  }

  private static let steps = [
    MigrationStep("1", up: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL)"),
    MigrationStep("2", up: "ALTER TABLE book ADD COLUMN isbn TEXT"),
    MigrationStep("3", up: "UPDATE book SET isbn = 'none' WHERE isbn IS NULL"),
  ]
  private static let schema: SQL =
    "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, isbn TEXT)"
  private static let migrator = Migrator(steps, schema: schema)

  @Test(.behaviour("A-CT-M16"))
  func `a table declared in Swift needs no migration step and is retained by later steps`() throws {
    let database = try Database.inMemory()
    let first = Migrator(
      [Self.steps[0]], schema: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL)")
    try first.migrate(database)
    try database.write { db in
      try db.execute("INSERT INTO book (title) VALUES ('Emma')")
      try Review.table.insert(Review(text: "a delight"), in: db)
    }
    #expect(try first.version(of: database) == "1")

    try Self.migrator.migrate(database)
    #expect(try Self.migrator.version(of: database) == "3")

    try database.write { db in
      try Review.table.insert(Review(text: "once more"), in: db)
      try Book.table.insert(Book(title: "Persuasion"), in: db)
    }

    #expect(
      try database.read { db in try Review.fetchAll(in: db).map(\.text) } == [
        "a delight", "once more",
      ])
    #expect(
      try database.read { db in try Book.fetchAll(in: db).map(\.isbn) } == ["none", nil])
    #expect(try Self.migrator.version(of: database) == "3")
  }

  @Test(.behaviour("A-CT-M15"))
  func `a migration step can write tables declared in Swift without starting a nested migration`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let log = MigrationLog()
      var migrator = Migrator(
        [
          Self.steps[0], Self.steps[1],
          MigrationStep("3") { db in
            try Book.table.insert(Book(title: "Sanditon", isbn: "1"), in: db)
            try Review.table.insert(Review(text: "unfinished"), in: db)
          },
        ], schema: Self.schema)
      migrator.onEvent = { log.append($0) }
      try Self.migrator.migrate(try Database(at: url), to: "1")

      let database = try Database(at: url, .init(migrator: migrator))

      #expect(
        log.events == [
          "will migrate 1 3", "snapshot", "will run up from 1 to 2", "did run up from 1 to 2",
          "will run up from 2 to 3", "did run up from 2 to 3", "ended",
        ])
      #expect(
        try database.read { db in try Book.fetchAll(in: db).map(\.title) } == ["Sanditon"])
      #expect(try database.read { db in try Review.fetchAll(in: db).count } == 1)
    }
  }

  /// Versions of declared pages, of which the second adds a text that is searched, and the third
  /// drops an indexed section.
  private static let pageSteps = [
    MigrationStep(
      "1",
      up: "CREATE TABLE page (id INTEGER PRIMARY KEY, title TEXT NOT NULL, section TEXT NOT NULL)"),
    MigrationStep("2", up: "ALTER TABLE page ADD COLUMN text TEXT")
      .down("DELETE FROM page WHERE id = 2; alter table \"main\".[Page] drop /* it */ Text;"),
    MigrationStep("3", up: "ALTER TABLE page DROP COLUMN section"),
  ]

  /// Creates a file of the second version, in which declared tables have created two indexes of the
  /// section and a full-text table of the text.
  private static func makePages(at url: URL, _ migrator: Migrator) throws {
    let database = try Database(at: url, .init(migrator: migrator))
    try database.write { db in
      for (id, title) in [(1, "Preface"), (2, "Dune")] {
        try DeclaredPages.Page(id: Int64(id), title: title, section: "body", text: "On lending.")
          .insert(in: db)
      }
    }
    try database.close()
  }

  /// Returns the names of the declared objects of a file.
  private static func declared(_ database: Database) throws -> [String] {
    try database.read { db in try db.schema().map(\.name).filter { $0.contains("undercroft.") } }
  }

  @Test(arguments: [true, false])
  func `a down script of a migration can drop a column of a declared full-text index`(
    isOlderProgram: Bool
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let migrator = Migrator(Array(Self.pageSteps[...1]))
      try Self.makePages(at: url, migrator)
      var old = Migrator([Self.pageSteps[0]])
      old.newerVersionPolicy = .downgrade

      let database = try Database(at: url, .init(migrator: isOlderProgram ? old : migrator))
      if !isOlderProgram { try migrator.migrate(database, to: "1") }

      let (columns, titles, tables) = try database.read { db in
        (
          try db.columns(of: "page").map(\.name),
          try db.fetchAll("SELECT title FROM page") { row in try row[0] as String },
          try db.schema().filter { $0.kind == .table }.map(\.name)
        )
      }
      #expect(columns == ["id", "title", "section"])
      #expect(titles == ["Preface"])
      #expect(!tables.contains { $0.contains("search") })
      #expect(try Self.declared(database).contains { $0.contains("section") })
    }
  }

  @Test func `an up script of a migration can drop a column that has a declared index`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try Self.makePages(at: url, Migrator(Array(Self.pageSteps[...1])))

      let database = try Database(at: url, .init(migrator: Migrator(Self.pageSteps)))

      #expect(
        try database.read { db in try db.columns(of: "page").map(\.name) } == [
          "id", "title", "text",
        ])
      let names = try Self.declared(database)
      #expect(!names.contains { $0.contains("section") })
      #expect(names.contains { $0.contains("title") })
    }
  }

  @Test(arguments: [true, false])
  func `if a step cannot drop an indexed column in SQL, the error recommends dropColumn`(
    isDeclared: Bool
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let migrator = Migrator(Array(Self.pageSteps[...1]))
      try Self.makePages(at: url, migrator)
      if !isDeclared {
        let database = try Database(at: url)
        try database.execute("CREATE INDEX page_by_section ON page (section)")
        try database.close()
      }
      let closure = MigrationStep("3") { db in
        try db.execute("ALTER TABLE page DROP COLUMN section")
      }
      let last = isDeclared ? closure : Self.pageSteps[2]

      let error = #expect(throws: StorageError.self) {
        try Database(at: url, .init(migrator: Migrator(Array(Self.pageSteps[...1]) + [last])))
      }

      #expect(error?.message.contains("call db.dropColumn(_:of:)") == true)
      #expect(
        error?.message.contains(isDeclared ? "index undercroft." : "index page_by_section") == true)
    }
  }

  @Test
  func `a write throws and adds no column if a table declares a column that no migration creates`()
    throws
  {
    struct Wider: TableRecord {
      var id: Int64?
      var title: String
      var isbn: String?
      var year: Int?
      static let table = Table(
        "book", Wider.init, Column("id", \.id).primaryKey(), Column("title", \.title),
        Column("isbn", \.isbn), Column("year", \.year))
    }
    let database = try Database.inMemory(.init(migrator: Self.migrator))

    let error = #expect(throws: StorageError.self) {
      try database.write { db in try Wider.table.insert(Wider(title: "Emma"), in: db) }
    }

    #expect(error?.message.contains("year") == true)
    #expect(try database.read { db in try db.columns(of: "book").count } == 3)

    // A matching declaration gets its index.
    try database.write { db in try Book.table.insert(Book(title: "Emma"), in: db) }
    #expect(
      try database.read { db in try db.schema().contains { $0.name == "undercroft.book.title" } })
  }
}
