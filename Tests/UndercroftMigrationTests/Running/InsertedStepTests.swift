import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

/// Tests of steps that a merge of two branches inserts between steps that files have already run.
@Suite struct InsertedStepTests {
  private static let shelf = MigrationStep(
    "1", up: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT)")
  private static let isbn = MigrationStep("2", up: "ALTER TABLE book ADD COLUMN isbn TEXT")
    .down("ALTER TABLE book DROP COLUMN isbn")
  private static let reader = MigrationStep(
    "3", up: "CREATE TABLE reader (id INTEGER PRIMARY KEY, name TEXT)"
  ).down("DROP TABLE reader")
  private static let pages = MigrationStep("4", up: "ALTER TABLE book ADD COLUMN pages INTEGER")
    .down("ALTER TABLE book DROP COLUMN pages")

  private static let released = Migrator(
    [shelf, pages], schema: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, pages INTEGER)")

  private static func merged(_ inserted: InsertedSteps) -> Migrator {
    var migrator = Migrator(
      [shelf, isbn, reader, pages],
      schema: """
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, isbn TEXT, pages INTEGER);
        CREATE TABLE reader (id INTEGER PRIMARY KEY, name TEXT)
        """)
    migrator.insertedSteps = inserted
    return migrator
  }

  private static func makeReleasedFile(at url: URL) throws {
    let database = try Database(at: url, .init(migrator: released))
    try database.write { db in try db.execute("INSERT INTO book VALUES (1, 'Emma', 474)") }
    try database.close()
  }

  @Test
  func `by default, a migration step inserted before applied steps is rejected`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try Self.makeReleasedFile(at: url)
      let before = try Data(contentsOf: url)

      let error = #expect(throws: StorageError.self) {
        try Database(at: url, .init(migrator: Self.merged(.reject)))
      }

      #expect(error?.code == .unknownVersion)
      #expect("\(error as Any)".contains("Migrator.insertedSteps"))
      #expect(try Data(contentsOf: url) == before)
    }
  }

  @Test
  func
    `a migrator that allows steps inserted before applied steps runs and records the new steps in order`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try Self.makeReleasedFile(at: url)
      let log = MigrationLog()
      var migrator = Self.merged(.run)
      migrator.onEvent = { log.append($0) }

      let plan = try migrator.plan(for: try Database(at: url))
      let database = try Database(at: url, .init(migrator: migrator))

      #expect("\(plan)".contains("1 → 2 (inserted)"))
      #expect(
        log.events.filter { $0.hasPrefix("did run") } == [
          "did run up from 1 to 2, inserted", "did run up from 2 to 3, inserted",
        ])
      #expect(try migrator.version(of: database) == "4")
      let record = try database.fetchAll(
        "SELECT position, version FROM undercroft_migration ORDER BY position"
      ) { row in "\(try row[0] as Int) \(try row[1] as String)" }
      #expect(record == ["1 1", "2 2", "3 3", "4 4"])
      #expect(try database.fetchAll("SELECT pages FROM book") { try $0[0] as Int } == [474])
      // The history now equals that of any other file at this version.
      #expect(try Self.merged(.reject).plan(for: database).isEmpty)
    }
  }

  @Test
  func `a downgrade to the version of an inserted step runs that step and reverts later steps`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try Self.makeReleasedFile(at: url)
      let database = try Database(at: url)

      try Self.merged(.run).migrate(database, to: "2")

      let names = try database.read { db in try db.columns(of: "book").map(\.name) }
      #expect(names == ["id", "title", "isbn"])
      #expect(try database.read { db in try db.tableExists("reader") } == false)
    }
  }

  @Test func `a failing migration step inserted before applied steps leaves the file unchanged`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try Self.makeReleasedFile(at: url)
      var migrator = Migrator(
        [Self.shelf, MigrationStep("2", up: "ALTER TABLE book ADD COLUMN pages TEXT"), Self.pages],
        schema: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, pages INTEGER)")
      migrator.insertedSteps = .run

      #expect(throws: StorageError.self) {
        try Database(at: url, .init(migrator: migrator))
      }

      let database = try Database(at: url)
      #expect(try Self.released.version(of: database) == "4")
      #expect(try Self.released.plan(for: database).isEmpty)
    }
  }

  @Test
  func `even if insertedSteps is .run, a migrator rejects reordered or unknown versions of a file`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try Self.makeReleasedFile(at: url)
      var swapped = Migrator([Self.pages, Self.shelf], schema: "SELECT 1")
      swapped.insertedSteps = .run
      var foreign = Migrator([Self.shelf, Self.isbn, Self.reader], schema: "SELECT 1")
      foreign.insertedSteps = .run

      for migrator in [swapped, foreign] {
        let error = #expect(throws: StorageError.self) {
          try migrator.plan(for: try Database(at: url))
        }
        #expect(error?.code == .unknownVersion)
      }
    }
  }
}
