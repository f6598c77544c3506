import BehaviourTrait
import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

@Suite(.timeLimit(.hangLimit)) struct MigrationOpeningTests {
  /// Runs `body` with a file of the first version.
  private func withOldFile(_ body: (URL) async throws -> Void) async throws {
    try await withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try LibraryVersions.makeFile(at: url, version: 1)
      try await body(url)
    }
  }

  @Test(.behaviour("A-CT-M13"))
  func `each migration step runs once if several tasks open one old file concurrently`()
    async throws
  {
    try await withOldFile { (url) async throws in
      let log = MigrationLog()
      var migrator = LibraryVersions.migrator
      migrator.onEvent = { event in
        if case .didRun(let transition) = event { log.append("\(transition)") }
      }
      let many = migrator

      let databases = try await withThrowingTaskGroup(of: Database.self) { group in
        for _ in 0..<8 { group.addTask { try await many.open(at: url) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }

      // A step is reported after its commit. By then another task may already run the next step.
      #expect(
        log.events.sorted() == [
          "up from 1 to 2", "up from 2 to 3", "up from 3 to 4", "up from 4 to 5", "up from 5 to 6",
        ])
      for database in databases {
        #expect(try LibraryVersions.books(in: database, version: 6).count == 2)
      }
    }
  }

  @Test(arguments: [true, false])
  func `DatabaseOptions.prepare runs after the migration even if it is set before the migrator`(
    setsMigratorFirst: Bool
  ) throws {
    let prepare = { @Sendable (database: Database) throws -> DatabaseAccess in
      try database.write { db in try db.execute("INSERT INTO reader (name) VALUES ('Lydia')") }
      return .readOnly
    }
    var options = DatabaseOptions()
    if setsMigratorFirst { options.migrator = LibraryVersions.migrator }
    options.prepare = prepare
    if !setsMigratorFirst { options.migrator = LibraryVersions.migrator }
    try withTemporaryDirectory { directory in

      let database = try Database(at: directory.appending(path: "library.sqlite"), options)

      #expect(try database.fetchValue("SELECT name FROM reader", as: String.self) == "Lydia")
      #expect(database.isReadOnly)
    }
  }

  @Test
  func `removing the migrator from DatabaseOptions changes schemaOwner from migrations to tables`()
    throws
  {
    var options = DatabaseOptions(migrator: LibraryVersions.migrator)

    #expect(options.migrator?.versions == LibraryVersions.migrator.versions)
    #expect(options.schemaOwner == .migrations)

    options.migrator = nil

    #expect(options.migrator == nil)
    #expect(options.schemaOwner == .tables)
    let database = try Database.inMemory(options)
    #expect(try database.read { db in try db.schema().isEmpty })
  }

  @Test(.behaviour("A-CT-M14"))
  func `migration progress is reported while other connections read the old schema`() async throws {
    try await withOldFile { (url) async throws in
      let other = try Database(at: url)
      let log = MigrationLog()
      var migrator = Migrator(
        [
          LibraryVersions.steps[0],
          MigrationStep("2") { db, progress in
            try db.execute("ALTER TABLE book ADD COLUMN isbn TEXT")
            for done in 1...4 { try progress(done, of: 4) }
          },
        ],
        schema:
          "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, author TEXT NOT NULL, isbn TEXT)"
      )
      migrator.onEvent = { event in
        log.append(event)
        if case .progress = event {
          let count = try other.fetchValue(
            "SELECT count(*) FROM pragma_table_info('book')", as: Int.self)
          log.append("others see \(count) columns")
        }
      }

      let database = try await migrator.open(at: url)

      #expect(
        try await database.async.fetchValue("SELECT count(isbn) FROM book", as: Int.self) == 0)
      #expect(
        log.events.filter { $0.hasPrefix("progress") } == [
          "progress 0.25", "progress 0.5", "progress 0.75", "progress 1.0",
        ])
      #expect(
        log.events.filter { $0.hasPrefix("others") }
          == Array(repeating: "others see 3 columns", count: 4))
    }
  }

  @Test func `a migration waits for another writer up to the lock timeout and then throws`() throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try LibraryVersions.makeFile(at: url, version: 1)
      let other = try Database(at: url)
      var migrator = LibraryVersions.migrator
      migrator.lockTimeout = .milliseconds(100)
      let impatient = migrator
      try other.write { db in
        try db.execute("UPDATE book SET title = 'Emma!' WHERE id = 1")
        let error = #expect(throws: StorageError.self) {
          try Database(
            at: url, DatabaseOptions(lockTimeout: .milliseconds(10)).migrating(with: impatient))
        }
        #expect(error?.code == .locked)
        #expect(error?.message.contains("is migrating the database") == true)
      }
    }
  }

  @Test func `cancelling the task ends a migration between two steps`() async throws {
    try await withOldFile { (url) async throws in
      let task = Mutex<Task<Database, any Error>?>(nil)
      var migrator = LibraryVersions.migrator
      let begun = AsyncStream<Void>.makeStream()
      migrator.onEvent = { event in
        if case .didRun(let transition) = event, transition.to == "3" {
          begun.continuation.finish()
          // Waits until the task is cancelled, which happens below.
          while task.withLock({ $0?.isCancelled }) != true { usleep(1_000) }
        }
      }

      let slow = migrator
      let opening = Task { try await slow.open(at: url) }
      task.withLock { $0 = opening }
      for await _ in begun.stream {}
      opening.cancel()

      await #expect(throws: CancellationError.self) { _ = try await opening.value }
      #expect(try LibraryVersions.migrator.version(of: try Database(at: url)) == "3")
    }
  }

  @Test
  func `a migration cancelled between two slices of a step continues when the file is reopened`()
    async throws
  {
    try await withOldFile { (url) async throws in
      let begun = AsyncStream<Void>.makeStream()
      let isCancelled = Mutex(false)
      let cursors = Mutex<[SQLValue?]>([])
      let sliced = MigrationStep("2", up: "ALTER TABLE book ADD COLUMN isbn TEXT").slices {
        db, cursor in
        cursors.withLock { $0.append(cursor) }
        if cursor == nil { try db.execute("CREATE TABLE shelf (id INTEGER PRIMARY KEY)") }
        let last = if case .integer(let last)? = cursor { last } else { Int64(0) }
        if last == 4 { return .done }
        try db.execute("INSERT INTO shelf VALUES (\(last + 1))")
        if last == 2, !isCancelled.withLock({ $0 }) {
          begun.continuation.finish()
          // The first statement after the cancellation throws.
          while true { try db.execute("UPDATE shelf SET id = id") }
        }
        return .next(.integer(last + 1))
      }
      let migrator = Migrator(
        [LibraryVersions.steps[0], sliced],
        schema: """
          CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, author TEXT NOT NULL, isbn TEXT);
          CREATE TABLE shelf (id INTEGER PRIMARY KEY);
          """)

      let opening = Task { try await migrator.open(at: url) }
      for await _ in begun.stream {}
      isCancelled.withLock { $0 = true }
      opening.cancel()

      await #expect(throws: CancellationError.self) { _ = try await opening.value }
      let interrupted = try Database(at: url)
      #expect(try interrupted.fetchValue("SELECT count(*) FROM shelf", as: Int.self) == 2)
      #expect(try migrator.version(of: interrupted) == "1")
      #expect(try migrator.plan(for: interrupted).isUnfinished)

      let database = try await migrator.open(at: url)
      #expect(try await database.async.fetchValue("SELECT count(*) FROM shelf", as: Int.self) == 4)
      #expect(try migrator.version(of: database) == "2")
      #expect(
        cursors.withLock { $0 } == [
          nil, .integer(1), .integer(2), .integer(2), .integer(3), .integer(4),
        ])
    }
  }

  @Test
  func `cancelling the task ends an endless SQL statement of a migration and rolls the step back`()
    async throws
  {
    try await withOldFile { (url) async throws in
      let begun = AsyncStream<Void>.makeStream()
      let endless = MigrationStep("2") { db in
        try db.execute("INSERT INTO book (title, author) VALUES ('Sanditon', 'Austen')")
        begun.continuation.finish()
        try db.execute(
          """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
          DELETE FROM book WHERE id = (SELECT max(i) FROM n)
          """)
      }
      var migrator = Migrator([LibraryVersions.steps[0], endless], schema: LibraryVersions.newest)
      migrator.fallback = { _ in .recreate }

      let many = migrator
      let opening = Task { try await many.open(at: url) }
      for await _ in begun.stream {}
      opening.cancel()

      await #expect(throws: CancellationError.self) { _ = try await opening.value }
      let database = try Database(at: url)
      #expect(try LibraryVersions.books(in: database, version: 1).count == 2)
      #expect(try LibraryVersions.migrator.version(of: database) == "1")
    }
  }

  @Test func `opening a file in read-only mode throws if the file needs a migration`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try LibraryVersions.makeFile(at: url, version: 5)
      let error = #expect(throws: StorageError.self) {
        try Database(
          at: url, DatabaseOptions(isReadOnly: true).migrating(with: LibraryVersions.migrator))
      }
      #expect(error?.code == .accessDenied)

      let current = try LibraryVersions.migrator(upTo: 5)
      let database = try Database(
        at: url, DatabaseOptions(isReadOnly: true).migrating(with: current))
      #expect(try LibraryVersions.books(in: database, version: 5).count == 2)
    }
  }
}
