import BehaviourTrait
import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

@Suite struct FallbackTests {
  /// A migrator whose fourth step fails after the second and third have been committed.
  private func broken(_ fallback: MigrationFallback, _ log: MigrationLog = MigrationLog())
    -> Migrator
  {
    var steps = LibraryVersions.steps
    steps[3] = MigrationStep("4", up: "DELETE FROM book; INSERT INTO nowhere VALUES (1);")
    var migrator = Migrator(steps, schema: LibraryVersions.newest)
    migrator.fallback = { failure in
      log.append("asked at \(failure.transition.from)")
      return fallback
    }
    migrator.onEvent = { log.append($0) }
    return migrator
  }

  private func withOldFile(_ body: (URL) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try LibraryVersions.makeFile(at: url, version: 1)
      try body(url)
    }
  }

  private func version(_ url: URL) throws -> String? {
    try LibraryVersions.migrator.version(of: try Database(at: url, .init(isReadOnly: true)))
  }

  @Test(.behaviour("A-CT-M10"))
  func
    `a failed migration calls the fallback closure with the failure and retains completed steps`()
    throws
  {
    try withOldFile { (url) throws in
      let log = MigrationLog()

      #expect(throws: StorageError.self) {
        try Database(at: url, .init(migrator: broken(.fail, log)))
      }

      #expect(log.events.suffix(2) == ["asked at 3", "failed, fail"])
      #expect(try version(url) == "3")
    }
  }

  @Test(.behaviour("A-CT-M10"))
  func `the restoreSnapshot fallback of a migration restores the previous version and throws`()
    throws
  {
    try withOldFile { (url) throws in
      // Another connection may be open during the migration.
      let other = try Database(at: url)
      _ = try other.fetchValue("SELECT count(*) FROM book", as: Int.self)

      let error = #expect(throws: StorageError.self) {
        try Database(at: url, .init(migrator: broken(.restoreSnapshot)))
      }

      #expect(error?.message.contains("before the migration, at the version \"1\"") == true)
      #expect(try version(url) == "1")
      #expect(try LibraryVersions.books(in: other, version: 1).count == 2)
      #expect(try other.integrityCheck() == [])
      #expect(try other.read { db in try !db.tableExists("loan") })

      // A program of the old version can use the file.
      let old = try Database(at: url, .init(migrator: LibraryVersions.migrator(upTo: 1)))
      try old.execute("INSERT INTO book (title, author) VALUES ('Sanditon', 'Austen')")
      #expect(try LibraryVersions.books(in: other, version: 1).count == 3)
    }
  }

  @Test(.behaviour("A-CT-M10"))
  func `the openReadOnly fallback of a migration opens the restored old file as read-only`()
    throws
  {
    try withOldFile { (url) throws in

      let database = try Database(at: url, .init(migrator: broken(.openReadOnly)))

      #expect(database.isReadOnly)
      #expect(try LibraryVersions.books(in: database, version: 1).count == 2)
      #expect(try version(url) == "1")
      #expect(throws: StorageError.self) { try database.execute("DELETE FROM book") }
    }
  }

  @Test(.behaviour("A-CT-M10"))
  func `the recreate fallback of a migration creates a new database and preserves the old file`()
    throws
  {
    try withOldFile { (url) throws in
      let log = MigrationLog()

      let database = try Database(at: url, .init(migrator: broken(.recreate, log)))

      #expect(!database.isReadOnly)
      #expect(try version(url) == "6")
      #expect(try database.fetchValue("SELECT count(*) FROM book", as: Int.self) == 0)
      #expect(try database.integrityCheck() == [])
      try database.execute("INSERT INTO author (name) VALUES ('Austen')")

      let keptURL = url.deletingLastPathComponent().appending(path: "library.sqlite.kept-1")
      let old = try Database(at: keptURL)
      #expect(try LibraryVersions.books(in: old, version: 1).count == 2)
      #expect(try version(keptURL) == "1")
    }
  }

  @Test(arguments: ["", "-wal"])
  func `the recreate fallback preserves the old file without replacing a symbolic link loop`(
    suffix: String
  ) throws {
    try withOldFile { (url) throws in
      let keptPath = url.path() + ".kept-1"
      let earlier = try Database(at: URL(filePath: keptPath))
      try earlier.execute("CREATE TABLE shelf(number)")
      try earlier.close()
      // A symbolic link to itself cannot be followed (`ELOOP`).
      if suffix.isEmpty { try FileManager.default.removeItem(atPath: keptPath) }
      try #require(symlink(keptPath + suffix, keptPath + suffix) == 0)

      _ = try Database(at: url, .init(migrator: broken(.recreate)))

      #expect(try version(URL(filePath: url.path() + ".kept-2")) == "1")
      let type = try FileManager.default.attributesOfItem(atPath: keptPath + suffix)[.type]
      #expect(type as? FileAttributeType == .typeSymbolicLink)
      guard !suffix.isEmpty else { return }
      try FileManager.default.removeItem(atPath: keptPath + suffix)
      let tables = try Database(at: URL(filePath: keptPath)).fetchValue(
        "SELECT group_concat(name) FROM sqlite_schema", as: String.self)
      #expect(tables == "shelf")
    }
  }

  @Test
  func `the restoreSnapshot fallback throws an error that reports a missing snapshot`()
    throws
  {
    try withOldFile { (url) throws in
      var migrator = broken(.restoreSnapshot)
      migrator.takesSnapshot = false

      let error = #expect(throws: StorageError.self) {
        try Database(at: url, .init(migrator: migrator))
      }

      #expect(error?.message.contains("no snapshot exists") == true)
      #expect(try version(url) == "3")
    }
  }

  @Test func `the openReadOnly fallback needs no snapshot if the first migration step fails`()
    throws
  {
    try withOldFile { (url) throws in
      var migrator = Migrator(
        [LibraryVersions.steps[0], MigrationStep("2", up: "DROP TABLE book; DROP TABLE nowhere;")],
        schema: LibraryVersions.newest)
      migrator.takesSnapshot = false
      migrator.fallback = { _ in .openReadOnly }

      let database = try Database(at: url, .init(migrator: migrator))
      #expect(try LibraryVersions.books(in: database, version: 1).count == 2)
    }
  }

  @Test
  func `an error thrown by the event handler ends a migration without calling the fallback`()
    throws
  {
    try withOldFile { (url) throws in
      struct Enough: Error {}
      let log = MigrationLog()
      var migrator = LibraryVersions.migrator
      migrator.fallback = { _ in
        log.append("asked")
        return .recreate
      }
      migrator.onEvent = { event in
        if case .willRun(let transition) = event, transition.to == "3" { throw Enough() }
      }

      let database = try Database(at: url)
      #expect(throws: Enough.self) { try migrator.migrate(database) }

      #expect(log.events == [])
      #expect(try version(url) == "2")
    }
  }
}
