import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

/// Tests of steps that violate the rules for steps.
@Suite struct StepAttackTests {
  private static let first = MigrationStep(
    "1", up: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT)")

  /// Creates a file at version 1 with one book, and migrates it by more steps.
  private func migrating(
    _ steps: [MigrationStep],
    schema: SQL = "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT)",
    _ change: (inout Migrator) -> Void = { _ in }
  ) throws -> (error: (any Error)?, versions: [String], books: [String]) {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let old = Migrator(
        [Self.first], schema: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT)")
      do {
        let database = try Database(at: url, .init(migrator: old))
        try database.execute("INSERT INTO book VALUES (1, 'Emma')")
        try database.close()
      }
      var migrator = Migrator([Self.first] + steps, schema: schema)
      change(&migrator)
      var found: (any Error)?
      do throws(StorageError) {
        try Database(at: url, .init(migrator: migrator)).close()
      } catch {
        found = error
      }
      let after = try Database(at: url)
      #expect(try after.integrityCheck() == [])
      let versions = try after.fetchAll(
        "SELECT version FROM undercroft_migration ORDER BY position"
      ) {
        row in try row[0] as String
      }
      let books = try after.fetchAll("SELECT id, title FROM book ORDER BY id") { row in
        "\(try row[0] as Int) \(try row[1] as String)"
      }
      return (found, versions, books)
    }
  }

  static let meddling = [
    "DELETE FROM undercroft_migration", "DROP TABLE undercroft_migration",
    "ALTER TABLE undercroft_migration RENAME TO other",
    "DROP TABLE undercroft_migration_run",
    "INSERT INTO undercroft_migration VALUES (77, '3', 'x', 'x', NULL)",
    "UPDATE undercroft_migration SET version = 'x'",
    "UPDATE undercroft_migration SET position = 77",
    "CREATE TRIGGER a AFTER INSERT ON undercroft_migration BEGIN DELETE FROM undercroft_migration; END",
    "CREATE TRIGGER a BEFORE INSERT ON undercroft_migration BEGIN SELECT RAISE(IGNORE); END",
    "CREATE TRIGGER a BEFORE INSERT ON undercroft_migration BEGIN SELECT RAISE(ROLLBACK, 'x'); END",
    "COMMIT", "ROLLBACK", "BEGIN", "END", "SAVEPOINT a; RELEASE a; COMMIT", "RELEASE undercroft",
    "ROLLBACK TO undercroft",
    "INSERT OR ROLLBACK INTO book VALUES (1, 'twice')",
    "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = 'undercroft_migration'",
  ]

  @Test(.heavy, arguments: meddling, [false, true])
  func `a migration step that alters the migration history or ends the transaction is rolled back`(
    script: String, isLast: Bool
  ) throws {
    let second = MigrationStep("2") { db in
      _ = try db.execute("INSERT INTO book VALUES (2, 'Persuasion')")
      _ = try? db.executeScript(SQL(unchecked: script))
    }
    let third = MigrationStep("3", up: "INSERT INTO book VALUES (3, 'Evelina')")

    let (error, versions, books) = try migrating(isLast ? [second] : [second, third])
    if error == nil {
      // SQLite rejected the statement, and the step ignored the error.
      #expect(versions == (isLast ? ["1", "2"] : ["1", "2", "3"]), "\(script)")
      #expect(books.count == (isLast ? 2 : 3), "\(script)")
    } else {
      #expect(versions == ["1"], "\(script)")
      #expect(books == ["1 Emma"], "\(script)")
    }
  }

  @Test(arguments: meddling)
  func `a migration slice that alters the history or ends the transaction is rolled back`(
    script: String
  ) throws {
    let second = MigrationStep("2", up: "INSERT INTO book VALUES (2, 'Persuasion')").slices {
      db, done in
      if done != nil { return .done }
      _ = try db.execute("INSERT INTO book VALUES (5, 'Slice')")
      _ = try? db.executeScript(SQL(unchecked: script))
      return .next(.integer(1))
    }

    let (error, versions, books) = try migrating([second])
    if error == nil {
      #expect(versions == ["1", "2"], "\(script)")
      #expect(books.count == 3, "\(script)")
    } else {
      // A committed slice remains when a later part of the step fails.
      #expect(versions == ["1"], "\(script)")
      #expect(books.first == "1 Emma" && !books.contains("2 Persuasion"), "\(script)")
    }
  }

  @Test
  func `an error thrown by the event handler ends a migration even if a step catches the error`()
    throws
  {
    struct Enough: Error {}
    for isReplaced in [false, true] {
      let second = MigrationStep("2") { db, progress in
        _ = try db.execute("INSERT INTO book VALUES (2, 'Persuasion')")
        do { try progress(1, of: 2) } catch {
          if isReplaced { throw StorageError(.io, "something else", backend: "sqlite") }
        }
      }
      let asked = Mutex(0)

      let (error, versions, _) = try migrating([second]) { migrator in
        migrator.onEvent = { event in if case .progress = event { throw Enough() } }
        migrator.fallback = { _ in
          asked.withLock { $0 += 1 }
          return .recreate
        }
      }

      #expect((error as? StorageError)?.underlying is Enough, "\(String(describing: error))")
      #expect(versions == ["1"])
      #expect(asked.withLock { $0 } == 0)
    }
  }

  @Test(arguments: [
    SQLValue.null, .integer(.max), .integer(.min), .real(-0.0), .real(.infinity),
    .real(.leastNonzeroMagnitude),
    .text(""), .text("a\u{0}b"), .text("e\u{301}"), .blob(Data()), .blob(Data([0, 255])),
  ])
  func `each slice of a migration step receives the cursor that the previous slice returned`(
    cursor: SQLValue
  ) throws {
    let seen = Mutex<[SQLValue?]>([])
    let second = MigrationStep("2", up: "INSERT INTO book VALUES (2, 'P')").slices { _, done in
      seen.withLock { $0.append(done) }
      return done == nil ? .next(cursor) : .done
    }

    let (error, versions, _) = try migrating([second])
    #expect(error == nil)
    #expect(versions == ["1", "2"])
    seen.withLock { seen in
      #expect(seen.count == 2)
      let isSame = seen.last == .some(cursor)
      #expect(isSame)
    }
  }

  @Test
  func `a slice of a migration step can receive a cursor of 20 megabytes from the previous slice`()
    throws
  {
    try `each slice of a migration step receives the cursor that the previous slice returned`(
      cursor: .blob(Data(count: 20_000_000)))
  }

  @Test
  func `a slice of a migration step can return NaN as its cursor and as its progress fraction`()
    throws
  {
    let seen = Mutex<[SQLValue?]>([])
    let fractions = Mutex<[Double?]>([])
    let second = MigrationStep("2", up: "INSERT INTO book VALUES (2, 'P')").slices { _, done in
      seen.withLock { $0.append(done) }
      return done == nil ? .next(.real(.nan), fraction: .nan) : .done
    }

    let (error, versions, books) = try migrating([second]) { migrator in
      migrator.onEvent = { event in
        if case .progress(_, let fraction) = event { fractions.withLock { $0.append(fraction) } }
      }
    }

    #expect(error == nil)
    #expect(versions == ["1", "2"])
    #expect(books == ["1 Emma", "2 P"])
    // SQLite stores NaN as NULL, which is a cursor too: the work does not begin again.
    #expect(seen.withLock { $0 } == [nil, .some(.null)])
    let reported = fractions.withLock { $0 }
    #expect(reported.count == 2)
    #expect(reported.first??.isNaN == true)
    #expect(reported.last == .some(1))
  }

  @Test
  func `cancelling the task ends a migration step with endless slices on an in-memory database`()
    async throws
  {
    let count = Mutex(0)
    let endless = MigrationStep("2", up: "SELECT 1").slices { _, _ in
      count.withLock { $0 += 1 }
      return .next(.integer(1))
    }
    var migrator = Migrator(
      [Self.first, endless, MigrationStep("3", up: "SELECT 1")],
      schema: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT)")
    migrator.takesSnapshot = false
    for version in [nil, "2"] as [String?] {
      let copy = migrator
      let database = try Database.inMemory()
      if version == nil {
        try Migrator([Self.first], schema: migrator.schema).migrate(database)
      }
      let task = Task { try await blocking { try copy.migrate(database, to: version) } }
      let goal = count.withLock { $0 } + 100
      let deadline = ContinuousClock.now + .hangLimit
      while count.withLock({ $0 }) < goal, ContinuousClock.now < deadline {
        try await Task.sleep(for: .milliseconds(1))
      }

      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test
  func `a migration changes no row if an adoption closure writes, throws or is nondeterministic`()
    throws
  {
    struct Odd: Error {}
    let callCount = Mutex(0)
    let adoptions = [
      MigrationAdoption("writes") { db in
        try db.execute("DELETE FROM book")
        return "1"
      },
      MigrationAdoption("writes and is silent") { db in
        _ = try? db.execute("DELETE FROM book")
        return "1"
      },
      MigrationAdoption("throws") { _ in throw Odd() },
      MigrationAdoption("changes its mind") { _ in
        callCount.withLock {
          $0 += 1
          return $0 % 2 == 0 ? "1" : "2"
        }
      },
    ]

    for adoption in adoptions {
      try withTemporaryDirectory { directory in
        let url = directory.appending(path: "library.sqlite")
        let old = try Database(at: url)
        try old.execute("CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT)")
        try old.execute("INSERT INTO book VALUES (1, 'Emma')")
        try old.close()
        var migrator = Migrator(
          [
            Self.first, MigrationStep("2", up: "CREATE TABLE nothing (a)"),
            MigrationStep("3", up: "BROKEN"),
          ],
          schema: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT)", adopting: adoption)
        migrator.fallback = { _ in .restoreSnapshot }
        #expect(throws: StorageError.self, "\(adoption.name)") {
          try Database(at: url, .init(migrator: migrator))
        }
        let after = try Database(at: url)
        #expect(
          try after.fetchValue("SELECT count(*) FROM book", as: Int.self) == 1, "\(adoption.name)")
      }
    }
  }
}
