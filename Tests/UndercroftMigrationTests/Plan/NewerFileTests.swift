import BehaviourTrait
import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

@Suite struct NewerFileTests {
  @Test(.behaviour("A-CT-M11"))
  func `a database file of a later schema version is rejected by default and left unchanged`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try LibraryVersions.makeFile(at: url, version: 4)
      let before = try Data(contentsOf: url)

      let error = #expect(throws: StorageError.self) {
        try Database(at: url, .init(migrator: LibraryVersions.migrator(upTo: 2)))
      }

      #expect(error?.code == .unknownVersion)
      #expect(error?.message.contains("later than \"2\"") == true)
      #expect(try Data(contentsOf: url) == before)
    }
  }

  @Test(.behaviour("A-CT-M11"))
  func `a downgrade executes the down steps in the reverse order of the up steps`()
    throws
  {
    let log = MigrationLog()
    var migrator = LibraryVersions.migrator
    migrator.onEvent = { log.append($0) }
    let database = try Database.inMemory()

    try migrator.migrate(database, to: "4")
    try migrator.migrate(database, to: "1")

    #expect(
      log.events.filter { $0.hasPrefix("did run down") } == [
        "did run down from 4 to 3", "did run down from 3 to 2", "did run down from 2 to 1",
      ])
    #expect(
      try database.read { db in try db.columns(of: "book").map(\.name) } == [
        "id", "title", "author",
      ])
  }

  /// Versions whose down steps are SQL scripts, which are stored in the file.
  private static let steps = [
    MigrationStep("1", up: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT)"),
    MigrationStep("2", up: "ALTER TABLE book ADD COLUMN isbn TEXT")
      .down("ALTER TABLE book DROP COLUMN isbn"),
    MigrationStep("3", up: "ALTER TABLE book RENAME COLUMN title TO name")
      .down("ALTER TABLE book RENAME COLUMN name TO title"),
  ]
  private static let old = Migrator(
    [steps[0]], schema: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT)")
  private static let new = Migrator(
    steps, schema: "CREATE TABLE book (id INTEGER PRIMARY KEY, name TEXT, isbn TEXT)")

  @Test(.behaviour("A-CT-M11"))
  func `if newerVersionPolicy is downgrade, a migrator runs the down scripts of a newer file`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      do {
        let database = try Database(at: url, .init(migrator: Self.new))
        try database.execute("INSERT INTO book (name) VALUES ('Emma')")
        try database.close()
      }

      var old = Self.old
      old.newerVersionPolicy = .downgrade
      let database = try Database(at: url, .init(migrator: old))

      #expect(try old.version(of: database) == "1")
      #expect(try database.fetchValue("SELECT title FROM book", as: String.self) == "Emma")
      #expect(try MigrationSnapshot.all(of: url).map(\.version) == ["3"])
    }
  }

  @Test func `a downgrade without a down script for every step is rejected before any change`()
    throws
  {
    let database = try Database.inMemory()
    try LibraryVersions.migrator.migrate(database)
    var old = try LibraryVersions.migrator(upTo: 4)
    old.newerVersionPolicy = .downgrade

    let error = #expect(throws: StorageError.self) { try old.migrate(database) }

    #expect(error?.message.contains("\"5\"") == true)
    #expect(try database.read { db in try db.tableExists("lent") })
  }
}
