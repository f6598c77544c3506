import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

/// The texts of errors that say what to do after a failed migration.
@Suite struct MigrationMessageTests {
  private static let first = MigrationStep(
    "1", up: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT)")
  private static let isbn = MigrationStep("2", up: "ALTER TABLE book ADD COLUMN isbn TEXT")

  /// Returns the error of migrating a database of version "1".
  private func failure(
    of migrator: Migrator, after sql: SQL = "SELECT 1"
  ) throws -> StorageError? {
    let database = try Database.inMemory()
    try Migrator([Self.first]).migrate(database)
    try database.execute(sql)
    return #expect(throws: StorageError.self) { try migrator.migrate(database) }
  }

  @Test(arguments: [
    Migrator([first, isbn], schema: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT)"),
    Migrator([
      first, MigrationStep("2", up: "CREATE TABLE loan (book INTEGER REFERENCES book)"),
      MigrationStep("3", up: "INSERT INTO loan SELECT 9 WHERE EXISTS (SELECT 1 FROM book)"),
    ]),
    Migrator([first, isbn], schema: "CREATE TABLE nowhere"),
  ])
  func `the error of a failed migration contains the words "cannot migrate" only once`(
    migrator: Migrator
  )
    throws
  {
    let error = try failure(of: migrator, after: "INSERT INTO book (title) VALUES ('Emma')")

    let count = error?.description.split(separator: "cannot migrate").count
    #expect(count == 2, "\(error?.description ?? "")")
    #expect(error?.description.split(separator: "sqlite: ").count == 1)
  }

  @Test
  func `if the steps do not produce the migrator's schema, the error suggests a schema export`()
    throws
  {
    let error = try failure(
      of: Migrator(
        [Self.first, Self.isbn], schema: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT)"))

    #expect(error?.message.contains("GoldenSchemas(in: folder).export(migrator)") == true)
    #expect(error?.message.contains("export the schema again") == false)
  }

  @Test
  func `if a file's schema differs from the steps' schema, the error suggests no schema export`()
    throws
  {
    let step = MigrationStep("2") { db in
      let count = try db.fetchValue("SELECT count(*) FROM book", as: Int.self)
      if count > 0 { try db.execute("ALTER TABLE book ADD COLUMN isbn TEXT") }
    }

    let error = try failure(
      of: Migrator([Self.first, step]), after: "INSERT INTO book (title) VALUES ('Emma')")

    #expect(error?.message.contains("~ table book: - isbn TEXT") == true)
    #expect(error?.message.contains("GoldenSchemas") == false)
    #expect(error?.message.contains("as in an empty database") == true)
  }

  @Test
  func
    `the error for a newer file suggests downgrading only if the file stores all down scripts`()
    throws
  {
    func error(_ step: MigrationStep, _ policy: NewerVersionPolicy = .reject) throws
      -> StorageError?
    {
      let database = try Database.inMemory()
      try Migrator([Self.first, step]).migrate(database)
      var old = Migrator([Self.first])
      old.newerVersionPolicy = policy
      return #expect(throws: StorageError.self) { try old.migrate(database) }
    }
    let script = try error(Self.isbn.down("ALTER TABLE book DROP COLUMN isbn"))
    let closure = try error(Self.isbn.down { db in try db.dropColumn("isbn", of: "book") })
    let refused = try error(Self.isbn, .downgrade)

    #expect(script?.suggestion?.contains(".downgrade") == true)
    for error in [closure, refused] {
      #expect(error?.code == .unknownVersion)
      #expect(error?.message.contains("no script that reverts the step to \"2\"") == true)
      #expect(error?.suggestion?.contains(".downgrade") == false)
      #expect(error?.suggestion?.contains("migrate(database, to: \"1\")") == true)
    }
  }
}
