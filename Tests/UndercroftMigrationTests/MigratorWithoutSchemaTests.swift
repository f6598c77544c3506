import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

/// Tests of migrators whose steps create new databases.
@Suite(.timeLimit(.hangLimit)) struct MigratorWithoutSchemaTests {
  private static let migrator = Migrator(LibraryVersions.steps)

  private func history(of database: Database) throws -> [String] {
    try database.fetchAll(
      "SELECT version, origin, down IS NOT NULL FROM undercroft_migration ORDER BY position"
    ) { row in "\(try row[0] as String) \(try row[1] as String) \(try row[2] as Bool)" }
  }

  private func objectCount(_ url: URL) throws -> Int {
    try Database(at: url).fetchValue("SELECT count(*) FROM sqlite_schema", as: Int.self)
  }

  @Test func `migration steps and a declared schema create the same schema in a new database`()
    throws
  {
    try withTemporaryDirectory { directory in
      let log = MigrationLog()
      var migrator = Self.migrator
      migrator.onEvent = { log.append($0) }
      let url = directory.appending(path: "library.sqlite")

      let built = try Database(at: url, .init(migrator: migrator))

      let declared = try Database.inMemory(.init(migrator: LibraryVersions.migrator))
      #expect(
        try built.read { db in try DatabaseSchema(of: db) }
          == declared.read { db in try DatabaseSchema(of: db) })
      #expect(try history(of: built) == history(of: declared))
      #expect(try built.fetchValue("PRAGMA foreign_keys", as: Bool.self))
      #expect(log.events == ["will migrate new 6", "ended"])
      #expect(try MigrationSnapshot.all(of: url) == [])

      try built.close()
      // Opening the file again runs no step.
      _ = try Database(at: url, .init(migrator: migrator))
      #expect(log.events.count == 2)
    }
  }

  @Test(arguments: 1...5)
  func `a migrator without a schema migrates a file of any old version`(version: Int) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try LibraryVersions.makeFile(at: url, version: version)

      let database = try Database(at: url, .init(migrator: Self.migrator))

      #expect(try Self.migrator.version(of: database) == "6")
      #expect(try LibraryVersions.books(in: database, version: 6).count == 2)
    }
  }

  @Test
  func `migrating a file throws if its schema differs from the result of the migration steps`()
    throws
  {
    let database = try Database.inMemory()
    try Self.migrator.migrate(database, to: "5")
    try database.execute("ALTER TABLE reader ADD COLUMN card TEXT")

    let error = #expect(throws: StorageError.self) { try Self.migrator.migrate(database) }

    #expect(error?.code == .migrationFailed)
    #expect(error?.message.contains("card TEXT") == true, "\(error?.message ?? "")")
    #expect(try Self.migrator.version(of: database) == "5")
  }

  @Test(arguments: 0..<6)
  func `if a step fails on a new file, the file remains empty and a corrected step can migrate it`(
    failing: Int
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      var steps = LibraryVersions.steps
      let version = steps[failing].version
      steps[failing] = MigrationStep(version) { db in
        try db.execute("CREATE TABLE half (id INTEGER PRIMARY KEY)")
        try db.execute("INSERT INTO nowhere VALUES (1)")
      }

      let error = #expect(throws: StorageError.self) {
        try Database(at: url, .init(migrator: Migrator(steps)))
      }

      #expect(error?.code == .misuse)
      #expect(
        error?.message.contains("the step to \"\(version)\" failed when the steps ran on") == true,
        "\(error?.message ?? "")")
      #expect(try objectCount(url) == 0)

      let database = try Database(at: url, .init(migrator: Self.migrator))
      #expect(try Self.migrator.version(of: database) == "6")
    }
  }

  @Test func `creating a database by migration steps runs every slice of a step`() throws {
    let sliced = MigrationStep("2", up: "ALTER TABLE shelf ADD COLUMN room TEXT").slices {
      db, done in
      let last: Int64 = if case .integer(let number)? = done { number } else { 0 }
      if last == 3 { return .done }
      try db.execute("INSERT INTO shelf VALUES (\(last + 1))")
      return .next(.integer(last + 1))
    }
    let migrator = Migrator([
      MigrationStep("1", up: "CREATE TABLE shelf (id INTEGER PRIMARY KEY)"), sliced,
    ])

    let database = try Database.inMemory(.init(migrator: migrator))

    #expect(try database.fetchValue("SELECT count(*) FROM shelf", as: Int.self) == 3)
    let unfinished = try database.fetchValue(
      "SELECT count(*) FROM undercroft_migration_run", as: Int.self)
    #expect(unfinished == 0)
  }

  @Test func `a migration step that creates a table with a reserved name is rejected`() throws {
    let migrator = Migrator([
      MigrationStep("1", up: "CREATE TABLE undercroft_migration (version TEXT)")
    ])

    let error = #expect(throws: StorageError.self) {
      try Database.inMemory(.init(migrator: migrator))
    }

    #expect(error?.code == .misuse)
    #expect(error?.message.contains("reserved for the migrator") == true)
  }

  @Test func `a migrator whose first step is MigrationStep.base throws if it has no schema`() throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try LibraryVersions.makeFile(at: url, version: 2)
      let before = try Data(contentsOf: url)
      let steps = [.base("2")] + LibraryVersions.steps[2...]

      let error = #expect(throws: StorageError.self) {
        try Database(at: url, .init(migrator: Migrator(steps)))
      }

      #expect(error?.code == .misuse)
      #expect(error?.message.contains("pass the schema of version \"6\"") == true)
      #expect(try Data(contentsOf: url) == before)
      let migrator = Migrator(steps, schema: LibraryVersions.newest)
      let database = try Database(at: url, .init(migrator: migrator))
      #expect(try migrator.version(of: database) == "6")
    }
  }

  @Test func `a migrator with an empty schema is rejected`() throws {
    let migrator = Migrator(LibraryVersions.steps, schema: " \n")

    let error = #expect(throws: StorageError.self) {
      try migrator.version(of: try Database.inMemory())
    }

    #expect(error?.code == .misuse)
    #expect(error?.message.contains("is empty") == true)
  }

  @Test(arguments: [true, false])
  func `the recreate fallback runs all steps on a new database, or throws if a step fails`(
    failsOnRows: Bool
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try LibraryVersions.makeFile(at: url, version: 1)
      var steps = LibraryVersions.steps
      steps[1] = MigrationStep("2") { db in
        try db.execute("ALTER TABLE book ADD COLUMN isbn TEXT")
        let count = try db.fetchValue("SELECT count(*) FROM book", as: Int.self)
        if !failsOnRows || count > 0 { try db.execute("INSERT INTO nowhere VALUES (1)") }
      }
      var migrator = Migrator(steps)
      migrator.fallback = { _ in .recreate }

      guard failsOnRows else {
        let error = #expect(throws: StorageError.self) {
          try Database(at: url, .init(migrator: migrator))
        }
        #expect(error?.code == .migrationFailed)
        #expect(error?.underlying is MigrationFailure)
        #expect(error?.message.contains("could not be recreated") == true)
        #expect(try LibraryVersions.migrator.version(of: try Database(at: url)) == "1")
        return
      }
      let database = try Database(at: url, .init(migrator: migrator))
      #expect(try migrator.version(of: database) == "6")
      let preserved = try Database(at: URL(filePath: url.path + ".kept-1"))
      #expect(try LibraryVersions.books(in: preserved, version: 1).count == 2)
    }
  }

  @Test func `cancelling the task ends the creation of a database and leaves an empty file`()
    async throws
  {
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "undercroft-migration-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let url = directory.appending(path: "library.sqlite")
    let begun = AsyncStream<Void>.makeStream()
    let endless = MigrationStep("2") { db, progress in
      begun.continuation.finish()
      while true {
        try progress(0, of: 1)
        usleep(1_000)
      }
    }
    let migrator = Migrator([LibraryVersions.steps[0], endless])

    let opening = Task { try await migrator.open(at: url) }
    for await _ in begun.stream {}
    opening.cancel()

    await #expect(throws: CancellationError.self) { _ = try await opening.value }
    #expect(try objectCount(url) == 0)
  }
}
