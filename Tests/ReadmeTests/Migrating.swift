import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftMigrationTesting

// The code of Docs/Guides/Migrating.md.

let libraryMigrator = Migrator([
  MigrationStep(
    "1", up: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, author TEXT)"),
  MigrationStep("2", up: "ALTER TABLE book ADD COLUMN isbn TEXT")
    .down("ALTER TABLE book DROP COLUMN isbn"),
  MigrationStep("3") { db in
    try db.executeScript(
      """
      CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
      INSERT INTO author (name) SELECT DISTINCT author FROM book WHERE author IS NOT NULL;
      ALTER TABLE book ADD COLUMN author_id INTEGER REFERENCES author (id);
      UPDATE book SET author_id = (SELECT id FROM author WHERE name = book.author);
      """)
    try db.dropColumn("author", of: "book")  // also drops the indexes of declared tables
  },
])

/// The declarations of the application before it had a migrator.
private struct Library: DataCenter {
  struct Book: TableRecord {
    var id: Int64?
    var title: String
    var shelf: String

    static let table = Table(
      "book", Book.init, Column("id", \.id).primaryKey(), Column("title", \.title),
      Column("shelf", \.shelf).indexed()
    ).indexed(\.shelf, \.title).fullText(\.title, \.shelf)
  }

  let database: Database
  static let tables: Tables = [Book.self]
}

@Suite struct MigratingGuideTests {
  @Test func `an application with declared tables can adopt a migrator`() throws {
    try withTemporaryDirectory { directory in
      let first = try Database.inMemory()
      try Library(database: first).prepare()
      print(try first.read { db in try GoldenSchema(of: db, includesDeclared: false).text })

      var adopting = Migrator(
        [
          MigrationStep(
            "1",
            up: """
              CREATE TABLE "book" ("id" INTEGER PRIMARY KEY, "title" TEXT NOT NULL,
                "shelf" TEXT NOT NULL);
              """),
          MigrationStep("2") { db in try db.dropColumn("shelf", of: "book") },
        ], adopting: .baseline("1"))

      let url = directory.appending(path: "library.sqlite")
      do {
        let database = try Database(at: url)
        try Library(database: database).prepare()
        try database.execute("INSERT INTO book (title, shelf) VALUES ('Emma', 'A')")
      }
      let golden = try first.read { db in try GoldenSchema(of: db, includesDeclared: false) }
      let made = try Database.inMemory()
      try adopting.migrate(made, to: "1")
      try #expect(
        made.read { db in try DatabaseSchema(of: db) } == DatabaseSchema(of: golden.script))
      let database = try Database(at: url, DatabaseOptions(migrator: adopting))
      try #expect(database.fetchValue("SELECT title FROM book", as: String.self) == "Emma")
      let schemas = directory.appending(path: "Schemas")
      try GoldenSchemas(in: schemas).export(adopting)
      adopting.adoptions = []
      var test = MigrationTest(adopting, schemas: schemas)
      test.intendedChanges = ["book.shelf"]
      try test.verify()
    }
  }

  /// A file of the first version, with one book.
  private func makeOldFile(at url: URL) throws {
    let database = try Database(at: url)
    try libraryMigrator.migrate(database, to: "1")
    try database.execute("INSERT INTO book (title, author) VALUES ('Emma', 'Austen')")
    try database.close()
  }

  @Test func `opening a file with a migrator migrates the file to the newest version`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try makeOldFile(at: url)
      do {
        var options = DatabaseOptions()
        options.migrator = libraryMigrator
        let database = try Database(at: url, options)
        try #expect(database.fetchValue("SELECT name FROM author", as: String.self) == "Austen")
        try database.close()
      }
      var storage = try Storage(home: directory.appending(path: "home"))
      try storage.use(
        .sqlite(at: url, DatabaseOptions(migrator: libraryMigrator)), for: .record)
      try #expect(
        storage.database(for: .record).fetchValue("SELECT title FROM book", as: String.self)
          == "Emma")
      var inMemory = try Storage.inMemory()
      try inMemory.use(
        .sqlite(at: url, DatabaseOptions(migrator: libraryMigrator)), for: .record)
      let rows = try inMemory.database(for: .record)
      #expect(rows.location == nil)
      try #expect(libraryMigrator.version(of: rows) == "3")
      let inTests = try Database.inMemory(DatabaseOptions(migrator: libraryMigrator))
      try #expect(libraryMigrator.version(of: inTests) == "3")
    }
  }

  @Test
  func `a migrator's schema SQL creates the same tables in a new database as the migrator's steps`()
    throws
  {
    let migrator = Migrator(
      libraryMigrator.steps,
      schema: """
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, isbn TEXT,
          author_id INTEGER REFERENCES author (id));
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        """)
    let declared = try Database.inMemory(DatabaseOptions(migrator: migrator))
    let built = try Database.inMemory(DatabaseOptions(migrator: libraryMigrator))
    try #expect(
      declared.read { db in try DatabaseSchema(of: db) }
        == built.read { db in try DatabaseSchema(of: db) })
  }

  @Test func `the SQL script of a migration step can have several statements`() throws {
    let loans = MigrationStep(
      "3",
      up: """
        CREATE TABLE loan (id INTEGER PRIMARY KEY, book INTEGER NOT NULL REFERENCES book (id));
        CREATE INDEX loan_book ON loan (book);
        ALTER TABLE book ADD COLUMN copies INTEGER NOT NULL DEFAULT 1;
        """
    ).down("ALTER TABLE book DROP COLUMN copies; DROP TABLE loan")

    let migrator = Migrator(Array(libraryMigrator.steps[...1]) + [loans])
    let database = try Database.inMemory(DatabaseOptions(migrator: migrator))
    try #expect(database.read { db in try db.columnExists("copies", of: "book") })
    try migrator.migrate(database, to: "2")
    try #expect(database.read { db in try db.tableExists("loan") } == false)
    try migrator.migrate(database)
    try migrator.verifySchema(of: database)
  }

  @Test func `a down script can drop a column that has a declared index`() throws {
    let genres = MigrationStep("3", up: "ALTER TABLE book ADD COLUMN genre TEXT")
      .down("ALTER TABLE book DROP COLUMN genre")  // also with an index or full text on it
    let migrator = Migrator(Array(libraryMigrator.steps[...1]) + [genres])
    let database = try Database.inMemory(DatabaseOptions(migrator: migrator))
    try database.execute("CREATE INDEX \"undercroft.book.genre\" ON book (genre)")
    try migrator.migrate(database, to: "2")
    try libraryMigrator.verifySchema(of: database)
    try #expect(database.read { db in try db.columns(of: "book").count } == 4)
  }

  @Test func `dropping a column can be reverted by a script or by rebuilding the table`() throws {
    let withoutAuthor = MigrationStep("2", up: "ALTER TABLE book DROP COLUMN author")
      .down("ALTER TABLE book ADD COLUMN author TEXT")
    let withoutISBN = MigrationStep("2") { db in
      try db.rebuildTable(
        "book", as: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL)",
        dropping: ["isbn"])
    }.down { db in
      try db.rebuildTable(
        "book",
        as: """
          CREATE TABLE book (id INTEGER PRIMARY KEY, isbn TEXT NOT NULL UNIQUE, title TEXT NOT NULL)
          """,
        copying: ["isbn": "'unknown ' || id"])
    }
    let firsts: [SQL] = [
      "CREATE TABLE book (id INTEGER PRIMARY KEY, author TEXT, title TEXT NOT NULL)",
      "CREATE TABLE book (id INTEGER PRIMARY KEY, isbn TEXT NOT NULL UNIQUE, title TEXT NOT NULL)",
    ]
    for (first, step) in zip(firsts, [withoutAuthor, withoutISBN]) {
      let migrator = Migrator([MigrationStep("1", up: first), step])
      let database = try Database.inMemory(DatabaseOptions(migrator: migrator))
      try database.execute("INSERT INTO book (title) VALUES ('Emma'), ('Dune')")
      try migrator.migrate(database, to: "1")
      try migrator.verifySchema(of: database)
      try #expect(database.fetchValue("SELECT count(*) FROM book", as: Int.self) == 2)
      try #expect(database.read { db in try db.columns(of: "book").count } == 3)
    }
  }

  @Test
  func `a migrator plans two pending migration steps and completes a dry run without a failure`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try makeOldFile(at: url)
      let database = try Database(at: url)  // without the migrator: as it is
      let plan = try libraryMigrator.plan(for: database)
      print(plan)
      let run = try libraryMigrator.dryRun(of: database)
      print(run)
      #expect(plan.transitions.count == 2)
      #expect(run.failure == nil)
    }
  }

  @Test
  func `after a migration with an event handler, the snapshot of the old file can be discarded`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try makeOldFile(at: url)
      var migrator = libraryMigrator
      migrator.onEvent = { event in
        switch event {
        case .willMigrate(let plan): print(plan)
        case .progress(let transition, let fraction): print(transition, fraction ?? 0)
        case .ended(let outcome): print(outcome)
        default: break
        }
      }
      migrator.fallback = { failure in .openReadOnly }
      let database = try Database(at: url, DatabaseOptions(migrator: migrator))
      #expect(!database.isReadOnly)
      // Once the application has seen that all is well:
      for snapshot in try MigrationSnapshot.all(of: url) { try snapshot.discard() }
      try #expect(MigrationSnapshot.all(of: url) == [])
    }
  }

  @Test func `a migrator can open a file asynchronously`() async throws {
    let url = FileManager.default.temporaryDirectory
      .appending(path: "undercroft-guide-\(UUID().uuidString).sqlite")
    defer { try? DatabaseFiles(at: url).remove() }
    try makeOldFile(at: url)
    let database = try await libraryMigrator.open(at: url)
    try #expect(libraryMigrator.version(of: database) == "3")
    try database.close()
    for snapshot in try MigrationSnapshot.all(of: url) { try snapshot.discard() }
  }

  @Test func `a migrator reads the version of a file and migrates the file to an older version`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let empty = try Database(at: url)
      try #expect(libraryMigrator.version(of: empty) == nil)
      try libraryMigrator.migrate(empty, to: "2")
      try empty.close()

      let options = DatabaseOptions(schemaOwner: .migrations)  // without the migrator
      let database = try Database(at: url, options)
      if try libraryMigrator.version(of: database) == "2" {
        try libraryMigrator.migrate(database, to: "1")  // back: runs the `down` of step 2
      }
      try #expect(libraryMigrator.version(of: database) == "1")
      try #expect(database.read { db in try db.columnExists("isbn", of: "book") } == false)
      let before = try MigrationSnapshot.all(of: url).first { $0.version == "2" }
      print(before?.location.lastPathComponent ?? "")  // library.sqlite.version-2.snapshot
      try #require(before?.location.lastPathComponent == "library.sqlite.version-2.snapshot")
      try before?.discard()
      try #expect(MigrationSnapshot.all(of: url).isEmpty)

      try libraryMigrator.migrate(database)
      try #expect(libraryMigrator.version(of: database) == "3")
      #expect(throws: StorageError.self) {  // step 3 has no `down`
        try libraryMigrator.migrate(database, to: "2")
      }
      try #expect(libraryMigrator.version(of: database) == "3")
    }
  }

  @Test
  func `a migrator with a baseline adopts a file that was created without a migrator`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      do {
        let database = try Database(at: url)
        try database.execute(
          "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, author TEXT)")
        try database.close()
      }
      var migrator = libraryMigrator
      migrator.adoptions = [.baseline("1")]
      let database = try Database(at: url, DatabaseOptions(migrator: migrator))
      try #expect(migrator.version(of: database) == "3")
    }
  }

  @Test
  func `a migrator can adopt a file that has the migration history of another library`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      do {
        let database = try Database(at: url)
        try database.write { db in
          try db.executeScript(
            """
            CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, author TEXT);
            CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
            INSERT INTO grdb_migrations VALUES ('createBook');
            """)
        }
        try database.close()
      }
      var migrator = libraryMigrator
      migrator.adoptions = [
        .grdb(["createBook": "1", "addISBN": "2"]),
        .ctPersistance(["kCTPersistanceInitVersion": "1", "2.0": "2"]),
        .userVersion([1: "1", 2: "2"]),
      ]
      let database = try Database(at: url, DatabaseOptions(migrator: migrator))
      try #expect(migrator.version(of: database) == "3")
    }
  }

  @Test func `a migration step can copy all rows of a large table in several transactions`() throws
  {
    let step = MigrationStep("2", up: "ALTER TABLE book DROP COLUMN blurb").slices { db, done in
      if done == nil {
        try db.execute("CREATE TABLE blurb (book INTEGER PRIMARY KEY, text TEXT)")
      }
      let last: Int64 = if case .integer(let id)? = done { id } else { 0 }
      let next = try db.fetchOne(
        "SELECT max(id) FROM (SELECT id FROM book WHERE id > \(last) ORDER BY id LIMIT 1000)"
      ) {
        row in try row[0] as Int64?
      }
      guard let end = next ?? nil else { return .done }
      try db.execute(
        """
        INSERT INTO blurb (book, text)
        SELECT id, blurb FROM book WHERE id > \(last) AND id <= \(end)
        """)
      return .next(.integer(end))
    }
    let migrator = Migrator([
      MigrationStep("1", up: "CREATE TABLE book (id INTEGER PRIMARY KEY, blurb TEXT)"), step,
    ])
    let database = try Database.inMemory()
    try migrator.migrate(database, to: "1")
    try database.write { db in
      for id in 1...2_500 { try db.execute("INSERT INTO book VALUES (\(id), 'x')") }
    }
    try migrator.migrate(database)
    try #expect(database.fetchValue("SELECT count(*) FROM blurb", as: Int.self) == 2_500)
  }
}
