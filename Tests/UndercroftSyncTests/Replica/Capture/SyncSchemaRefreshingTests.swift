import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

@Suite struct SyncSchemaRefreshingTests {
  private static func library() throws -> CapturingLibrary {
    try CapturingLibrary(
      """
      CREATE TABLE book(id TEXT PRIMARY KEY, title TEXT, n INTEGER, draft TEXT);
      INSERT INTO book VALUES ('b1', 'one', 1, 'd'), ('b2', 'two', 2, 'd');
      """, [SyncedTable("book", counters: ["n"], local: ["draft"])])
  }

  private static func refresh(_ library: CapturingLibrary) throws {
    try library.database.write { db in try SyncSchema.refresh(in: db) }
  }

  @Test func `changes of an added column are captured after a refresh of the sync schema`() throws {
    let library = try Self.library()
    try library.run("UPDATE book SET title = 'uno' WHERE id = 'b1'")

    try library.run("ALTER TABLE book ADD COLUMN place TEXT DEFAULT 'A'")
    try Self.refresh(library)
    try library.run("UPDATE book SET place = 'B' WHERE id = 'b2'")

    #expect(
      try library.table("book")?.columns == [
        CapturedColumn("title", position: 0), CapturedColumn("n", position: 1, role: .counter),
        CapturedColumn("draft", position: 2, role: .local), CapturedColumn("place", position: 3),
      ])
    #expect(try library.changeList() == ["update book b1", "update book b2"])
    // The default is the same on all replicas, so it is no change.
    #expect(
      try library.texts("SELECT c0 || c3 FROM sync_shadow_1 ORDER BY record_id")
        == ["oneA", "twoA"])
  }

  @Test(arguments: ["'\u{301}A'", "\"\u{301}A\"", "'A''\u{301}'", "\"A\"\"\u{301}\""])
  func `a deleted row gets the default of a new column, also with an accent after a quotation mark`(
    text: String
  ) throws {
    let library = try Self.library()
    try library.run("DELETE FROM book WHERE id = 'b2'")

    try library.run("ALTER TABLE book ADD COLUMN place TEXT DEFAULT \(text)")
    try Self.refresh(library)

    let visible = try library.texts("SELECT place FROM book")
    #expect(try library.texts("SELECT c3 FROM sync_shadow_1 WHERE exists_") == visible)
    #expect(visible.count == 1)
  }

  @Test func `the sync schema does not reuse the position of a dropped column for a new column`()
    throws
  {
    let library = try Self.library()
    let table = try #require(try library.table("book"))

    try library.database.write { db in
      try SyncSchema.suspendTriggers(in: db)
      try db.execute("ALTER TABLE book DROP COLUMN n")
      try db.execute("ALTER TABLE book ADD COLUMN m INTEGER")
      try SyncSchema.refresh(in: db)
    }
    try library.run("UPDATE book SET m = 4 WHERE id = 'b1'")

    #expect(table.columns.map(\.position) == [0, 1, 2])
    #expect(try library.table("book")?.columns.map(\.name) == ["title", "draft", "m"])
    #expect(try library.table("book")?.columns.map(\.position) == [0, 2, 3])
    #expect(try library.changeList() == ["update book b1"])
  }

  @Test(arguments: [
    ["DROP TABLE book"], ["DROP TABLE book", "ALTER TABLE author ADD COLUMN born"],
    ["ALTER TABLE author RENAME TO writer", "ALTER TABLE writer RENAME TO author"],
  ])
  func
    `after a sync schema refresh, key changes are captured even if tables were dropped or renamed`(
      statements: [String]
    ) throws
  {
    let library = try CapturingLibrary(
      """
      CREATE TABLE author(id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE book(id TEXT PRIMARY KEY, author INTEGER REFERENCES author(id));
      INSERT INTO author VALUES (1, 'Herbert');
      """, [SyncedTable("author"), SyncedTable("book")])

    try library.database.write { db in
      for statement in statements { try db.execute(SQL(unchecked: statement)) }
      try SyncSchema.refresh(in: db)
    }
    try library.run("UPDATE author SET id = 9, name = 'Frank Herbert'")

    #expect(try library.changeList() == ["update author 9"])
  }

  @Test
  func `after a sync schema refresh, changes of a renamed table are captured under its new name`()
    throws
  {
    let library = try Self.library()

    try library.run("ALTER TABLE book RENAME TO volume")
    try Self.refresh(library)
    try library.run("UPDATE volume SET title = 'uno' WHERE id = 'b1'")

    #expect(try library.changeList() == ["update volume b1"])
  }

  @Test func `refreshing the sync schema removes all captured data of a dropped table`() throws {
    let library = try Self.library()
    try library.run("UPDATE book SET n = n + 1; UPDATE book SET n = n + 1")

    try library.run("DROP TABLE book")
    try Self.refresh(library)

    for name in ["sync_table", "sync_column", "sync_record", "sync_to_sync", "sync_absorbed"] {
      #expect(try library.integer("SELECT count(*) FROM \(name)") == 0, "\(name)")
    }
    #expect(try library.texts("SELECT name FROM sqlite_schema WHERE name LIKE '%book%'") == [])
  }

  @Test
  func `after a sync schema refresh, new rows and later changes of a rebuilt table are captured`()
    throws
  {
    let library = try Self.library()

    try library.run(
      """
      CREATE TABLE rebuilt(id TEXT PRIMARY KEY NOT NULL, title TEXT, n INTEGER, draft TEXT);
      INSERT INTO rebuilt SELECT * FROM book; DROP TABLE book;
      ALTER TABLE rebuilt RENAME TO book;
      INSERT INTO book(id) VALUES ('b3');
      """)
    try Self.refresh(library)
    try library.run("UPDATE book SET title = 'due' WHERE id = 'b2'")

    #expect(try library.changeList() == ["insert book b3", "update book b2"])
  }

  @Test func `refreshing an unchanged schema writes nothing`() throws {
    let library = try Self.library()
    let before = try library.integer("PRAGMA schema_version")

    let changes = try library.database.write { db in
      let before: Int64 = try db.fetchValue("SELECT total_changes()")
      try SyncSchema.refresh(in: db)
      return try db.fetchValue("SELECT total_changes()", as: Int64.self) - before
    }

    #expect(changes == 0)
    #expect(try library.integer("PRAGMA schema_version") == before)
  }

  @Test
  func
    `refreshing throws if the columns of a table, with dropped ones, exceed the maximum of 1,997`()
    throws
  {
    let columns = (1...1_997).map { "c\($0)" }
    let library = try CapturingLibrary(
      "CREATE TABLE wide(\((["id TEXT PRIMARY KEY"] + columns).joined(separator: ", ")))",
      [SyncedTable("wide")])

    #expect {
      try library.database.write { db in
        try SyncSchema.suspendTriggers(in: db)
        try db.execute("ALTER TABLE wide DROP COLUMN c1")
        try db.execute("ALTER TABLE wide ADD COLUMN c1998")
        try SyncSchema.refresh(in: db)
      }
    } throws: { error in
      StorageError.Code.notSupported ~= error
    }

    try library.run("INSERT INTO wide(id, c1) VALUES ('w1', 5)")
    #expect(try library.integer("SELECT count(*) FROM sync_to_sync") == 1)
  }
}
