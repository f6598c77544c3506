import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftRelational
import UndercroftSQLite

/// Migrations of files whose tables have their columns in another order than the expected schema.
@Suite struct ColumnOrderTests {
  /// The declarations of a program without a migrator.
  ///
  /// The first release lacks the column `isbn`, and a declared table adds it to the end of the
  /// table in the file.
  private enum Library {
    struct FirstBook: TableRecord {
      var id: Int64?
      var title: String

      static let table = Table(
        "book", FirstBook.init, Column("id", \.id).primaryKey(), Column("title", \.title))
    }

    struct Book: TableRecord, Equatable {
      var id: Int64?
      var isbn: String?
      var title: String

      static let table = Table(
        "book", Book.init, Column("id", \.id).primaryKey(), Column("isbn", \.isbn),
        Column("title", \.title))
    }
  }

  private static let first = MigrationStep(
    "1",
    up: "CREATE TABLE \"book\" (\"id\" INTEGER PRIMARY KEY, \"isbn\" TEXT, \"title\" TEXT NOT NULL)"
  )
  private static let pages = MigrationStep("2", up: "ALTER TABLE book ADD COLUMN pages INTEGER")

  /// Creates a file that two releases without a migrator have used, and passes it to `body`.
  private func withGrownFile(_ body: (URL) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let database = try Database(at: url)
      try database.write { db in
        _ = try Library.FirstBook.table.insert(.init(title: "Emma"), in: db)
        _ = try Library.Book.table.insert(.init(isbn: "0-19", title: "Dune"), in: db)
      }
      #expect(try names(database) == ["id", "title", "isbn"])
      try database.close()
      try body(url)
    }
  }

  private func names(_ database: Database) throws -> [String] {
    try database.read { db in try db.columns(of: "book").map(\.name) }
  }

  @Test(arguments: [[first], [first, pages]])
  func `a file can be adopted as a baseline even if a column was added at the end of its table`(
    steps: [MigrationStep]
  ) throws {
    try withGrownFile { url in
      let migrator = Migrator(steps, adopting: .baseline("1"))

      let database = try Database(at: url, .init(migrator: migrator))

      #expect(try migrator.version(of: database) == steps.last?.version)
      try migrator.verifySchema(of: database)
      let books = try database.read { db in try Library.Book.table.fetchAll(in: db) }
      #expect(
        books == [
          .init(id: 1, isbn: nil, title: "Emma"), .init(id: 2, isbn: "0-19", title: "Dune"),
        ]
      )
    }
  }

  @Test func `adopting a file at a wrong version throws an error that names the correct version`()
    throws
  {
    try withGrownFile { url in
      let migrator = Migrator([Self.first, Self.pages], adopting: .baseline("2"))

      let error = #expect(throws: StorageError.self) {
        try Database(at: url, .init(migrator: migrator))
      }

      #expect(error?.code == .unknownVersion)
      #expect(error?.message.contains("~ table book: + pages INTEGER") == true)
      #expect(error?.suggestion?.contains("let the adoption return \"1\"") == true)
    }
  }

  @Test func `if the schema of an adopted file matches no version, the error suggests no version`()
    throws
  {
    try withGrownFile { url in
      let step = MigrationStep(
        "1", up: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL)")
      let migrator = Migrator([step], adopting: .baseline("1"))

      let error = #expect(throws: StorageError.self) {
        try Database(at: url, .init(migrator: migrator))
      }

      #expect(error?.code == .unknownVersion)
      #expect(error?.message.contains("~ table book: - \"isbn\" TEXT") == true)
      #expect(
        error?.suggestion?.hasPrefix("no version of this migrator has the schema of the file")
          == true)
    }
  }

  @Test
  func `if a step fails on a file adopted at a wrong version, the error names the adopted version`()
    throws
  {
    try withGrownFile { url in
      let step = MigrationStep(
        "1", up: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL)")
      let migrator = Migrator([step, Self.pages], adopting: .baseline("1"))

      let error = #expect(throws: StorageError.self) {
        try Database(at: url, .init(migrator: migrator))
      }

      #expect(error?.code == .migrationFailed)
      #expect(error?.message.contains("\"baseline 1\" returned the version \"1\"") == true)
      #expect(error?.message.contains("~ table book: - \"isbn\" TEXT") == true)
      #expect(error?.message.contains("was changed after its release") == false)
    }
  }

  /// A step that drops a column from the middle of a table, and a way back that adds it at the end.
  private static let dropping = [
    MigrationStep(
      "1", up: "CREATE TABLE book (id INTEGER PRIMARY KEY, isbn TEXT, title TEXT NOT NULL)"),
    MigrationStep("2", up: "ALTER TABLE book DROP COLUMN isbn")
      .down("ALTER TABLE book ADD COLUMN isbn TEXT"),
  ]

  @Test func `a down script can restore a dropped middle column at the end of the table`() throws {
    let migrator = Migrator(Self.dropping)
    let database = try Database.inMemory(.init(migrator: migrator))
    try database.execute("INSERT INTO book (title) VALUES ('Emma')")

    try migrator.migrate(database, to: "1")

    #expect(try migrator.version(of: database) == "1")
    #expect(try names(database) == ["id", "title", "isbn"])
    try migrator.verifySchema(of: database)

    try migrator.migrate(database)

    #expect(try names(database) == ["id", "title"])
    #expect(try database.rows("SELECT title FROM book") == ["Emma"])
  }

  @Test
  func `a downgrade by a migrator without the last step runs the down script stored in the file`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try Database(at: url, .init(migrator: Migrator(Self.dropping))).close()
      var old = Migrator([Self.dropping[0]])
      old.newerVersionPolicy = .downgrade

      let database = try Database(at: url, .init(migrator: old))

      #expect(try old.version(of: database) == "1")
      #expect(try names(database) == ["id", "title", "isbn"])
    }
  }

  @Test
  func `the columns in a migrator's schema can have a different order than in migrated files`()
    throws
  {
    let schema: SQL = "CREATE TABLE book (id INTEGER PRIMARY KEY, pages INTEGER, title TEXT)"
    let migrator = Migrator(
      [
        MigrationStep("1", up: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT)"),
        Self.pages,
      ], schema: schema)
    let database = try Database.inMemory()

    try migrator.migrate(database, to: "1")
    try migrator.migrate(database)

    #expect(try names(database) == ["id", "title", "pages"])
    try migrator.verifySchema(of: database)
  }

  @Test func `the error of a failed step does not name the column order as a possible reason`()
    throws
  {
    try withGrownFile { url in
      let failing = MigrationStep("2", up: "UPDATE book SET shelf = 'A'")
      let migrator = Migrator([Self.first, failing], adopting: .baseline("1"))

      let error = #expect(throws: StorageError.self) {
        try Database(at: url, .init(migrator: migrator))
      }

      let failure = error?.underlying as? MigrationFailure
      #expect(failure?.transition.to == "2")
      #expect(failure?.earlierDifference == nil)
    }
  }
}
