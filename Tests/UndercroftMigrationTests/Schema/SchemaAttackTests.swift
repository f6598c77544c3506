import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftMigrationTesting
import UndercroftSQLite

/// Tests of unusual but valid schemas that a schema check must accept.
@Suite struct SchemaAttackTests {
  private func migrate(
    from first: SQL, by second: SQL, schema: SQL, rows: SQL = "",
    _ options: DatabaseOptions = .init()
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let steps = [MigrationStep("1", up: first), MigrationStep("2", up: second)]
      let database = try Database(
        at: url, options.migrating(with: Migrator([steps[0]], schema: first)))
      try database.writeWithoutTransaction { db in
        try db.execute("PRAGMA foreign_keys = OFF")
        _ = try db.executeScript(rows)
      }
      try database.close()
      let migrator = Migrator(steps, schema: schema)
      try Database(at: url, options.migrating(with: migrator)).close()
      try Database(at: directory.appending(path: "new.sqlite"), options.migrating(with: migrator))
        .close()
    }
  }

  @Test func `a schema script can insert rows that reference rows inserted later`() throws {
    let tables =
      "CREATE TABLE a (id INTEGER PRIMARY KEY, b REFERENCES b (id)); CREATE TABLE b (id INTEGER PRIMARY KEY);"
    let rows = "INSERT INTO a VALUES (1, 1); INSERT INTO b VALUES (1);"
    try migrate(
      from: SQL(unchecked: tables), by: SQL(unchecked: rows), schema: SQL(unchecked: tables + rows))
  }

  @Test func `an in-memory database can be migrated to an older version and back`() throws {
    let steps = [
      MigrationStep(
        "1",
        up:
          "CREATE TABLE a (id INTEGER PRIMARY KEY, b REFERENCES b (id)); CREATE TABLE b (id INTEGER PRIMARY KEY); INSERT INTO a VALUES (1, 1); INSERT INTO b VALUES (1);"
      ),
      MigrationStep("2", up: "CREATE TABLE c (a)").down("DROP TABLE c"),
    ]
    let migrator = Migrator(
      steps,
      schema:
        "CREATE TABLE a (id INTEGER PRIMARY KEY, b REFERENCES b (id)); CREATE TABLE b (id INTEGER PRIMARY KEY); CREATE TABLE c (a);"
    )

    let database = try Database.inMemory()
    try migrator.migrate(database, to: "1")
    try migrator.migrate(database)
    try migrator.migrate(database, to: "1")
    #expect(try migrator.version(of: database) == "1")
  }

  @Test
  func `a database with virtual tables, generated columns and custom functions can be migrated`()
    throws
  {
    let tables = """
      CREATE TABLE plain (id INTEGER PRIMARY KEY, title TEXT COLLATE backwards, t AS (shout(title)) STORED);
      CREATE INDEX by_shout ON plain (shout(title));
      CREATE TABLE without (k BLOB, l TEXT, v ANY, PRIMARY KEY (k, l)) STRICT, WITHOUT ROWID;
      CREATE VIRTUAL TABLE words USING fts5(title, content='plain', content_rowid='id');
      CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1);
      CREATE VIEW lost AS SELECT * FROM not_there;
      CREATE TRIGGER lost_insert INSTEAD OF INSERT ON lost BEGIN INSERT INTO nowhere VALUES (1); END;
      """
    let options = DatabaseOptions(setUp: { db in
      try db.add(SQLCollation("backwards") { one, other in one > other })
      try db.add(
        SQLFunction("shout", argumentCount: 1, isDeterministic: true, isInnocuous: true) {
          arguments in
          (try arguments[0] as String?)?.uppercased()
        })
    })

    let second = "CREATE TABLE more (a)"
    try migrate(
      from: SQL(unchecked: tables), by: SQL(unchecked: second),
      schema: SQL(unchecked: tables + second),
      rows:
        "INSERT INTO plain (title) VALUES ('a'), ('b'); INSERT INTO boxes VALUES (1, 0, 1); INSERT INTO without VALUES (x'00', 'a', 1.5);",
      options)
  }

  @Test func `a migrator rejects a schema that contains the migrator's own tables`() throws {
    let dump: SQL = """
      CREATE TABLE undercroft_migration (position INTEGER PRIMARY KEY);
      CREATE TABLE book (id INTEGER PRIMARY KEY);
      """
    let migrator = Migrator(
      [MigrationStep("1", up: "CREATE TABLE book (id INTEGER PRIMARY KEY)")], schema: dump)

    let error = #expect(throws: StorageError.self) {
      try Database.inMemory(.init(migrator: migrator))
    }
    #expect(
      error?.message.contains("the schema of the version \"1\" contains the table") == true,
      "\(String(describing: error))")
  }

  @Test func `a damaged attached database does not prevent a migration`() throws {
    try withTemporaryDirectory { directory in
      let other = directory.appending(path: "other.sqlite")
      let broken = try Database(
        at: other,
        .init(setUp: { db in _ = try db.execute("PRAGMA ignore_check_constraints = ON") }))
      try broken.execute("CREATE TABLE a (id INTEGER PRIMARY KEY, b CHECK (b > 0))")
      try broken.writeWithoutTransaction { db in
        try db.execute("INSERT INTO a VALUES (1, -1)")
      }
      try broken.close()
      let url = directory.appending(path: "library.sqlite")
      try LibraryVersions.makeFile(at: url, version: 1)
      let options = DatabaseOptions(attachments: [.init(other, as: "other")])

      for check in [IntegrityCheck.full, .quick] {
        var migrator = LibraryVersions.migrator
        migrator.integrityCheck = check
        try Database(at: url, options.migrating(with: migrator)).close()
        try FileManager.default.removeItem(at: url)
        try LibraryVersions.makeFile(at: url, version: 1)
      }
    }
  }

  private func migrator(at version: String) -> Migrator {
    Migrator([MigrationStep(version, up: "CREATE TABLE a (b)")], schema: "CREATE TABLE a (b)")
  }

  // Nine of these characters have 63 bytes in UTF-8. The longest version name has 60.
  @Test(arguments: ["", "\u{0}", "a\u{0}b", "a\nb", String(repeating: "🗄️", count: 9)])
  func `a version name that is empty, too long or multi-line, or contains NUL, is rejected`(
    version: String
  )
    throws
  {
    let database = try Database.inMemory()

    let error = #expect(throws: StorageError.self) {
      try migrator(at: version).migrate(database)
    }

    #expect(error?.code == .misuse)
    #expect(try database.read { db in try db.tableExists("a") } == false)
  }

  @Test(arguments: [" ", "a\tb", "'", "\u{301}", String(repeating: "🗄️", count: 8)])
  func `a version name may contain whitespace, a quotation mark, a combining mark or emoji`(
    version: String
  ) throws {
    let database = try Database.inMemory()

    try migrator(at: version).migrate(database)

    #expect(try migrator(at: version).version(of: database) == version)
    #expect(try database.read { db in try db.tableExists("a") })
  }

  @Test
  func
    `a migrator rejects nearly equal version names as duplicates or creates a snapshot for each`()
    throws
  {
    try withTemporaryDirectory { directory in
      for (index, pair) in [
        ("a", "A"), ("é", "e\u{301}"), ("ﬁ", "fi"), ("1", "１"), ("a.b", "a%2eb"), ("x", "x "),
      ].enumerated() {
        let url = directory.appending(path: "\(index).sqlite")
        let steps = [
          MigrationStep(pair.0, up: "CREATE TABLE a (b)"),
          MigrationStep(pair.1, up: "CREATE TABLE c (d)").down("DROP TABLE c"),
        ]
        let migrator = Migrator(steps, schema: "CREATE TABLE a (b); CREATE TABLE c (d)")
        do {
          let old = Migrator([steps[0]], schema: "CREATE TABLE a (b)")
          try Database(at: url, .init(migrator: old)).close()
          let database = try Database(at: url, .init(migrator: migrator))
          try migrator.migrate(database, to: pair.0)
          try migrator.migrate(database)
          #expect(Set(try MigrationSnapshot.all(of: url).map(\.version)) == [pair.0, pair.1])
        } catch let error as StorageError {
          #expect(error.message.contains("twice"), "\(pair): \(error)")
        }
      }
    }
  }

  @Test func `a version name of the maximum length is accepted and is part of the snapshot's name`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let name = String(repeating: "🗄", count: 15)
      let steps = [
        MigrationStep(name, up: "CREATE TABLE a (b)"), MigrationStep("2", up: "CREATE TABLE c (d)"),
      ]
      try Database(
        at: url, .init(migrator: Migrator([steps[0]], schema: "CREATE TABLE a (b)"))
      ).close()

      let migrator = Migrator(steps, schema: "CREATE TABLE a (b); CREATE TABLE c (d)")
      try Database(at: url, .init(migrator: migrator)).close()
      #expect(try MigrationSnapshot.all(of: url).map(\.version) == [name])
    }
  }

  @Test
  func `MigrationTest supports quoted names, virtual and WITHOUT ROWID tables and self-references`()
    throws
  {
    let tables = """
      CREATE TABLE "we""ird [name]" ("select" TEXT, "a b" INTEGER CHECK ("a b" > 3), ü BLOB NOT NULL);
      CREATE TABLE without (k BLOB, l TEXT, v ANY, PRIMARY KEY (k, l)) STRICT, WITHOUT ROWID;
      CREATE TABLE only_generated (id INTEGER PRIMARY KEY, g AS (id * 2));
      CREATE TABLE itself (id INTEGER PRIMARY KEY, up INTEGER NOT NULL REFERENCES itself (id));
      CREATE TABLE hidden (rowid TEXT, oid TEXT, _rowid_ TEXT);
      CREATE VIRTUAL TABLE words USING fts5(title);
      CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1);
      CREATE VIEW v AS SELECT 1 AS one;
      """
    let second = "CREATE TABLE more (a);"
    let steps = [
      MigrationStep("1", up: SQL(unchecked: tables)),
      MigrationStep("2", up: SQL(unchecked: second)).down("DROP TABLE more"),
    ]
    let migrator = Migrator(steps, schema: SQL(unchecked: tables + second))
    try withTemporaryDirectory { directory in
      try GoldenSchemas(in: directory).export(migrator)
      let test = MigrationTest(migrator, schemas: directory)
      try test.verify(rowsPerTable: 20)
    }
  }
}
