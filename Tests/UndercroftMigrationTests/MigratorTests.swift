import BehaviourTrait
import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

@Suite struct MigratorTests {
  private func columns(_ database: Database, _ table: String = "book") throws -> [String] {
    try database.read { db in try db.columns(of: table).map(\.name) }
  }

  private static let added = Migrator(
    [
      MigrationStep("1", up: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT)"),
      MigrationStep("2", up: "ALTER TABLE book ADD COLUMN isbn TEXT"),
      MigrationStep(
        "3", up: "ALTER TABLE book ADD COLUMN shelf TEXT; ALTER TABLE book ADD COLUMN year INTEGER;"
      ),
      MigrationStep("4", up: "ALTER TABLE book ADD COLUMN price REAL DEFAULT 1.5"),
    ],
    schema:
      "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, isbn TEXT, shelf TEXT, year INTEGER, price REAL DEFAULT 1.5)"
  )

  @Test(
    .behaviour("A-CT-M01"), .behaviour("A-CT-M02"), .behaviour("A-CT-M03"),
    .behaviour("A-CT-M04"), .behaviour("A-CT-M05"), .behaviour("A-CT-M06"),
    arguments: [(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)])
  func `a migration adds the columns that its steps define and retains the existing rows`(
    from: Int, to: Int
  ) throws {
    let database = try Database.inMemory()
    let all = ["id", "title", "isbn", "shelf", "year", "price"]
    let counts = [2, 3, 5, 6]
    try Self.added.migrate(database, to: "\(from)")
    #expect(try columns(database) == Array(all.prefix(counts[from - 1])))
    try database.execute("INSERT INTO book (id, title) VALUES (1, 'Emma'), (2, 'Persuasion')")

    let outcome = try Self.added.migrate(database, to: "\(to)")
    guard case .migrated("\(from)", "\(to)", nil) = outcome else {
      Issue.record("\(outcome)")
      return
    }

    #expect(try columns(database) == Array(all.prefix(counts[to - 1])))
    let titles = try database.fetchAll("SELECT title FROM book ORDER BY id") { try $0[0] as String }
    #expect(titles == ["Emma", "Persuasion"])
    #expect(try Self.added.version(of: database) == "\(to)")
  }

  @Test(.behaviour("A-CT-M07"))
  func `a migrator creates a new file with the newest schema and runs no step`() throws {
    try withTemporaryDirectory { directory in
      let log = MigrationLog()
      var migrator = Self.added
      migrator.onEvent = { log.append($0) }
      let url = directory.appending(path: "library.sqlite")

      let database = try Database(at: url, .init(migrator: migrator))

      #expect(try columns(database) == ["id", "title", "isbn", "shelf", "year", "price"])
      #expect(try migrator.version(of: database) == "4")
      #expect(log.events == ["will migrate new 4", "ended"])

      try database.close()
      // Opening the file again runs no step either.
      _ = try Database(at: url, .init(migrator: migrator))
      #expect(log.events.count == 2)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: directory.path).allSatisfy {
          !$0.contains("snapshot")
        })
    }
  }

  @Test func `an in-memory database is migrated by the same steps as a file`() throws {
    let database = try Database.inMemory(.init(migrator: LibraryVersions.migrator))

    #expect(try LibraryVersions.migrator.version(of: database) == "6")
    #expect(try database.read { db in try db.tableExists("lent") })
  }

  @Test func `a migrator treats a file that contains only key-value data as a new database`() throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      do {
        let backend = try SQLiteBackend(at: url)
        try backend.apply([.set("theme", Data("dark".utf8))])
      }

      let migrated = try SQLiteBackend(at: url, .init(migrator: LibraryVersions.migrator))

      #expect(try migrated.read("theme") == Data("dark".utf8))
      #expect(try LibraryVersions.migrator.version(of: migrated.database) == "6")
    }
  }

  @Test(.behaviour("A-CT-M12"))
  func `an invalid list of migration steps is rejected before the file is changed`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try LibraryVersions.makeFile(at: url, version: 2)
      let before = try Data(contentsOf: url)
      let steps = LibraryVersions.steps
      let other = MigrationStep("x", up: "DROP TABLE book")
      func refused(
        _ steps: [MigrationStep], _ code: StorageError.Code, _ word: String, to: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
      ) throws {
        let migrator = Migrator(steps, schema: LibraryVersions.newest)
        let error = #expect(throws: StorageError.self, sourceLocation: sourceLocation) {
          let database = try Database(at: url)
          defer { try? database.close() }
          try migrator.migrate(database, to: to)
        }
        #expect(error?.code == code, sourceLocation: sourceLocation)
        #expect(
          error?.message.contains(word) == true, "\(error?.message ?? "")",
          sourceLocation: sourceLocation)
      }

      try refused([], .misuse, "no step")
      // A duplicate version.
      try refused([steps[0], steps[1], steps[1]], .misuse, "twice")
      // A gap: a version that the file has run is missing.
      try refused([steps[0], steps[2]], .unknownVersion, "\"2\"")
      // A version inserted between others.
      try refused([steps[0], other, steps[1], steps[2]], .unknownVersion, "order")
      // A different order.
      try refused([steps[1], steps[0], steps[2]], .unknownVersion, "order")
      // A base step that is not the first one.
      try refused([steps[0], .base("2"), steps[2]], .misuse, "only the first step")
      // A version of the file that is unknown.
      try refused([steps[0], other], .unknownVersion, "none of")
      try refused(Array(steps.prefix(3)), .misuse, "\"9\"", to: "9")
      try refused([MigrationStep("", up: "DROP TABLE book")], .misuse, "not a valid name")

      #expect(try Data(contentsOf: url) == before)
    }
  }

  @Test(.behaviour("A-CT-M08"))
  func `a file with tables and without a migration history is rejected unless it is adopted`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      do {
        let database = try Database(at: url)
        try database.execute("CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT)")
        try database.execute("INSERT INTO book (title) VALUES ('Emma')")
        try database.close()
      }

      let error = #expect(throws: StorageError.self) {
        try Database(at: url, .init(migrator: Self.added))
      }

      #expect(error?.code == .unknownVersion)
      #expect(error?.message.contains("baseline") == true)

      var migrator = Self.added
      migrator.adoptions = [.baseline("1")]
      let database = try Database(at: url, .init(migrator: migrator))

      #expect(try columns(database).count == 6)
      #expect(try database.fetchValue("SELECT title FROM book", as: String.self) == "Emma")
      let origins = try database.fetchAll(
        "SELECT origin FROM undercroft_migration ORDER BY position"
      ) {
        try $0[0] as String
      }
      #expect(origins == ["adopted", "step", "step", "step"])
    }
  }

  @Test(.behaviour("A-CT-M09"))
  func `a failing migration step is rolled back, and the next migration starts at that step`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try LibraryVersions.makeFile(at: url, version: 1)
      var steps = LibraryVersions.steps
      steps[2] = MigrationStep("3") { db in
        try db.execute("CREATE TABLE reader (id INTEGER PRIMARY KEY)")
        try db.execute("DELETE FROM book")
        try db.execute("INSERT INTO nowhere VALUES (1)")
      }
      let broken = Migrator(steps, schema: LibraryVersions.newest)

      let error = #expect(throws: StorageError.self) {
        try Database(at: url, .init(migrator: broken))
      }

      #expect(error?.code == .migrationFailed)
      #expect(error?.message.contains("from \"2\" to \"3\"") == true)
      #expect(error?.message.contains("nowhere") == true)
      let failure = try #require(error?.underlying as? MigrationFailure)
      #expect(failure.transition.to == "3")
      #expect(failure.start == "1")
      #expect(failure.hasCommittedSteps)

      do {
        let database = try Database(at: url)
        #expect(try LibraryVersions.migrator.version(of: database) == "2")
        #expect(try database.read { db in try !db.tableExists("reader") })
        #expect(try LibraryVersions.books(in: database, version: 2).count == 2)
        try database.close()
      }

      let database = try Database(at: url, .init(migrator: LibraryVersions.migrator))
      #expect(try LibraryVersions.migrator.version(of: database) == "6")
      #expect(try LibraryVersions.books(in: database, version: 6).count == 2)
    }
  }

  @Test
  func `a step that violates foreign keys is rolled back, and foreign keys remain enforced`()
    throws
  {
    let database = try Database.inMemory(
      .init(migrator: try LibraryVersions.migrator(upTo: 3)))
    try database.execute("INSERT INTO book (id, title, author) VALUES (1, 'Emma', 'Austen')")
    try database.execute("INSERT INTO reader (id, name) VALUES (3, 'Lydia')")
    try database.execute("INSERT INTO loan (book, reader) VALUES (1, 3)")
    let steps = LibraryVersions.steps.prefix(3) + [MigrationStep("4", up: "DELETE FROM reader")]

    let error = #expect(throws: StorageError.self) {
      try Migrator(Array(steps), schema: "CREATE TABLE x (y)").migrate(database)
    }

    #expect(error?.message.contains("1 reference violates a foreign key") == true)
    #expect(try database.fetchValue("SELECT count(*) FROM reader", as: Int.self) == 1)
    #expect(throws: StorageError.self) { try database.execute("DELETE FROM reader") }
  }

  @Test func `a migration step that does not produce the declared schema is rolled back`() throws {
    let database = try Database.inMemory()
    try LibraryVersions.migrator.migrate(database, to: "5")
    var steps = LibraryVersions.steps
    steps[5] = MigrationStep("6", up: "CREATE VIEW lent AS SELECT id FROM book")

    let error = #expect(throws: StorageError.self) {
      try Migrator(steps, schema: LibraryVersions.newest).migrate(database)
    }

    #expect(error?.code == .migrationFailed)
    #expect(error?.message.contains("lent") == true)
    #expect(try LibraryVersions.migrator.version(of: database) == "5")
    #expect(try database.read { db in try !db.tableExists("lent") })
  }

  @Test
  func `a migration throws if the table of the migration history has an unknown structure`()
    throws
  {
    let database = try Database.inMemory()
    try database.execute("CREATE TABLE undercroft_migration (nonsense BLOB)")

    let error = #expect(throws: StorageError.self) {
      try LibraryVersions.migrator.migrate(database)
    }

    #expect(error?.code == .unknownVersion)
  }

  @Test(.behaviour("A-CT-M15"))
  func `a migration step that starts a migration of the same database throws without a deadlock`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try LibraryVersions.makeFile(at: url, version: 1)
      let inner = LibraryVersions.migrator
      var steps = LibraryVersions.steps
      steps[1] = MigrationStep("2") { _ in _ = try Database(at: url, .init(migrator: inner)) }

      let error = #expect(throws: StorageError.self) {
        try Database(at: url, .init(migrator: Migrator(steps, schema: LibraryVersions.newest)))
      }

      #expect(
        error?.message.contains("started another migration") == true, "\(error?.message ?? "")")
    }
  }

  @Test func `descriptions of migration outcomes and events name the versions`() throws {
    let database = try Database.inMemory()
    let log = MigrationLog()
    var migrator = LibraryVersions.migrator
    migrator.onEvent = { log.append("\($0)") }

    #expect("\(try migrator.migrate(database, to: "4"))" == "new: created at version 4")
    #expect("\(try migrator.migrate(database, to: "4"))" == "at 4: nothing was done")
    #expect("\(try migrator.migrate(database, to: "5"))" == "migrated from 4 to 5")
    #expect(
      log.events.suffix(5) == [
        "will migrate from 4 to 5\n  up        4 → 5", "will run up from 4 to 5",
        "checking up from 4 to 5", "did run up from 4 to 5", "ended: migrated from 4 to 5",
      ])

    var steps = LibraryVersions.steps
    steps[5] = MigrationStep("6", up: "INSERT INTO nowhere VALUES (1)")
    migrator = Migrator(steps, schema: LibraryVersions.newest)
    migrator.fallback = { _ in .fail }
    migrator.onEvent = { log.append("\($0)") }

    #expect(throws: StorageError.self) { try migrator.migrate(database) }
    let last = try #require(log.events.last)
    #expect(last.hasPrefix("failed (fail): cannot migrate from \"5\" to \"6\": "))
  }
}
