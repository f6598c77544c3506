import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

/// Steps that were changed after a file had them.
@Suite struct ChangedStepTests {
  private static let first = MigrationStep(
    "1", up: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL)")
  private static let released = MigrationStep("2", up: "ALTER TABLE book ADD COLUMN isbn TEXT")
  private static let changed = MigrationStep(
    "2", up: "ALTER TABLE book ADD COLUMN isbn TEXT; ALTER TABLE book ADD COLUMN shelf TEXT")
  private static let failing = MigrationStep("3", up: "UPDATE book SET shelf = 'A'")
  private static let unrelated = MigrationStep("3", up: "CREATE TABLE reader (name TEXT)")

  /// Creates a file that has had the released step, and passes it to `body`.
  private static func withFile(_ body: (URL) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let database = try Database(at: url, .init(migrator: Migrator([first, released])))
      try database.execute("INSERT INTO book (title) VALUES ('Emma')")
      try database.close()
      try body(url)
    }
  }

  private static func open(_ url: URL, _ steps: [MigrationStep]) -> StorageError? {
    #expect(throws: StorageError.self) {
      try Database(at: url, .init(migrator: Migrator(steps)))
    }
  }

  @Test(arguments: [
    unrelated, failing,
  ])
  func `the error of a failing migration step names an earlier step changed after its release`(
    later: MigrationStep
  ) throws {
    try Self.withFile { url in
      let error = Self.open(url, [Self.first, Self.changed, later])

      #expect(error?.code == .migrationFailed)
      #expect(
        error?.message.contains("\"2\" or an earlier step was changed after its release") == true)
      #expect(error?.message.contains("~ table book: + shelf TEXT") == true)
    }
  }

  @Test
  func `if a step fails on the expected schema, the error names no other step as the reason`()
    throws
  {
    try Self.withFile { url in
      let error = Self.open(url, [Self.first, Self.released, Self.failing])

      #expect(error?.code == .migrationFailed)
      #expect(error?.message.contains("was changed after its release") == false)
    }
  }

  @Test
  func `the error of a failing step states a schema difference that existed before the step ran`()
    throws
  {
    try Self.withFile { url in
      let error = Self.open(url, [Self.first, Self.changed, Self.unrelated])

      let failure = error?.underlying as? MigrationFailure
      #expect(failure?.transition.to == "3")
      #expect(failure?.earlierDifference?.changed.first?.addedColumns == ["shelf"])
    }
  }

  @Test
  func `if a migration fails after a committed step, the error names no earlier schema difference`()
    throws
  {
    try Self.withFile { url in
      let error = Self.open(
        url, [Self.first, Self.released, Self.unrelated, MigrationStep("4", up: "DROP TABLE loan")])

      let failure = error?.underlying as? MigrationFailure
      #expect(failure?.hasCommittedSteps == true)
      #expect(failure?.earlierDifference == nil)
    }
  }

  @Test
  func `verifySchema throws for a step changed after its release even if no step is left to run`()
    throws
  {
    try Self.withFile { url in
      let changed = Migrator([Self.first, Self.changed])
      let released = Migrator([Self.first, Self.released])
      let database = try Database(at: url, .init(migrator: changed))

      try released.verifySchema(of: database)
      try changed.verifySchema(of: try Database.inMemory())
      let error = #expect(throws: StorageError.self) { try changed.verifySchema(of: database) }

      #expect(error?.code == .unknownVersion)
      #expect(error?.message.contains("~ table book: + shelf TEXT") == true)
    }
  }
}
