import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// Tests of adding tables to a scope, for the first time and again.
@Suite struct SyncSchemaAddingTests {
  // MARK: Columns

  @Test
  func `SyncedTable and foreign keys determine which columns are counters, references or local`()
    throws
  {
    let database = try ScopeFixture.database(
      """
      CREATE TABLE author(id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      CREATE TABLE shelf(id TEXT PRIMARY KEY);
      CREATE TABLE Book(
        id TEXT PRIMARY KEY, Title TEXT, copies INTEGER, author INTEGER REFERENCES AUTHOR,
        editor INTEGER REFERENCES author(id), name TEXT REFERENCES author(name),
        place TEXT, other TEXT REFERENCES shelf(id), draft TEXT);
      """)

    try ScopeFixture.add(
      [
        SyncedTable(
          "book", counters: ["COPIES"], references: ["PLACE": "Shelf"], local: ["draft"]),
        SyncedTable("author"), SyncedTable("shelf"),
      ], in: database)

    let book = try #require(try database.read(CapturedTable.load).first)
    #expect(book.name == "Book")
    #expect(book.keyColumn == "id")
    #expect(book.identity == .text)
    #expect(
      book.columns == [
        CapturedColumn("Title", position: 0), CapturedColumn("copies", position: 1, role: .counter),
        CapturedColumn("author", position: 2, role: .reference, referencedTable: "author"),
        CapturedColumn("editor", position: 3, role: .reference, referencedTable: "author"),
        CapturedColumn("name", position: 4),
        CapturedColumn("place", position: 5, role: .reference, referencedTable: "shelf"),
        CapturedColumn("other", position: 6, role: .reference, referencedTable: "shelf"),
        CapturedColumn("draft", position: 7, role: .local),
      ])
    #expect(book.syncedColumns.count == 7)
    #expect(book.hasCounters)
  }

  @Test
  func `a foreign key column gets the role reference once the referenced table is synchronised`()
    throws
  {
    let database = try ScopeFixture.database(
      """
      CREATE TABLE author(id INTEGER PRIMARY KEY);
      CREATE TABLE book(id TEXT PRIMARY KEY, author INTEGER REFERENCES author);
      """)

    try ScopeFixture.add([SyncedTable("book")], in: database)
    try ScopeFixture.add([SyncedTable("author")], in: database)

    let book = try #require(try database.read(CapturedTable.load).first)
    #expect(book.columns.map(\.role) == [.reference])
  }

  // MARK: Existing rows

  @Test(arguments: ["TEXT", "INTEGER", "TEXT COLLATE NOCASE"], [1, 7, 10, 5_000])
  func `the existing rows of a table that is added to a scope become pending insertions`(
    type: String, batchSize: Int
  )
    throws
  {
    let database = try ScopeFixture.database(
      """
      CREATE TABLE book(id \(type) PRIMARY KEY, title TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
      INSERT INTO book SELECT iif(i % 2, i, \(type == "INTEGER" ? "i" : "'A' || i")), i FROM n;
      """)

    try ScopeFixture.add([SyncedTable("book")], in: database, batchSize: batchSize)

    let library = CapturingLibrary(opening: database)
    #expect(try library.changes().count == 20)
    #expect(try library.changes().allSatisfy { $0.kind == .insert })
    #expect(
      try library.integer(
        """
        SELECT count(DISTINCT r.primary_key) FROM sync_record r
          JOIN sync_shadow_1 s USING (record_id)
          JOIN sync_to_sync o ON o.local_id = s.pending AND o.record_id = r.record_id
        """) == 20)
    let identifiers = try library.integer("SELECT count(DISTINCT identifier) FROM sync_record")
    #expect(identifiers == (type == "INTEGER" ? 20 : 0))
  }

  @Test
  func `adding a table to a scope again enqueues the rows that an interrupted addition left out`()
    throws
  {
    let database = try ScopeFixture.database(
      """
      CREATE TABLE book(id TEXT PRIMARY KEY, title TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
      INSERT INTO book SELECT 'b' || i, i FROM n;
      """)
    try ScopeFixture.add([SyncedTable("book")], in: database)
    // As if only some rows had been enqueued, and one of the others changed and one new since.
    try database.write { db in
      _ = try db.executeScript(
        """
        UPDATE sync_table SET isEnqueued = 0;
        DELETE FROM sync_to_sync WHERE local_id > 5; DELETE FROM sync_record WHERE record_id > 5;
        DELETE FROM sync_shadow_1 WHERE record_id > 5;
        UPDATE book SET title = 'changed'; INSERT INTO book VALUES ('b0', 'new');
        DELETE FROM book WHERE id = 'b20';
        """)
    }

    try ScopeFixture.add([SyncedTable("book")], in: database, batchSize: 4)

    let library = CapturingLibrary(opening: database)
    #expect(
      try Set(library.changeList().map { ExactString($0) })
        == Set((0..<20).map { ExactString("insert book b\($0)") }))
    #expect(try library.integer("SELECT count(*) FROM sync_to_sync") == 20)
  }

  @Test(arguments: [
    "DELETE FROM book WHERE id = 4",
    "DELETE FROM book WHERE id = 4; INSERT INTO book VALUES (90, 'new')",
    "UPDATE book SET id = 80 WHERE id = 4", "UPDATE book SET id = -1 WHERE id = 20",
  ])
  func `rows that change between two transactions of an addition leave out no other rows`(
    change: String
  ) throws {
    let database = try ScopeFixture.database(
      """
      CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
      INSERT INTO book SELECT i, i FROM n;
      """)
    try ScopeFixture.add([SyncedTable("book")], in: database)
    // The trigger makes the change at the end of the first transaction of the addition.
    try database.write { db in
      _ = try db.executeScript(
        """
        UPDATE sync_table SET isEnqueued = 0;
        DELETE FROM sync_to_sync; DELETE FROM sync_record; DELETE FROM sync_shadow_1;
        """)
      try db.execute(
        SQL(
          unchecked: """
            CREATE TRIGGER other AFTER INSERT ON sync_shadow_1 WHEN NEW.record_id = 4
              AND NOT EXISTS (SELECT 1 FROM sync_record WHERE record_id > 4)
            BEGIN \(change); END
            """))
    }

    try ScopeFixture.add([SyncedTable("book")], in: database, batchSize: 4)

    let library = CapturingLibrary(opening: database)
    let count = try library.integer(
      """
      SELECT count(*) FROM book b WHERE NOT EXISTS (
        SELECT 1 FROM sync_record r JOIN sync_to_sync o USING (record_id)
        WHERE r.primary_key = b.id)
      """)
    #expect(count == 0)
    #expect(try library.integer("SELECT isEnqueued FROM sync_table") == 1)
  }

  @Test func `adding tables that are already in the scope writes nothing`() throws {
    let database = try ScopeFixture.database(
      "CREATE TABLE book(id TEXT PRIMARY KEY, n INTEGER); INSERT INTO book VALUES ('b1', 1)")
    try ScopeFixture.add([SyncedTable("book", counters: ["n"])], in: database)
    let before = try database.fetchValue("PRAGMA schema_version", as: Int.self)

    try ScopeFixture.add([SyncedTable("book", counters: ["n"])], in: database)

    #expect(try database.fetchValue("PRAGMA schema_version") == before)
    #expect(try database.fetchValue("SELECT count(*) FROM sync_to_sync") == 1)
    #expect(try database.fetchValue("SELECT count(*) FROM sync_scope") == 1)
  }

  @Test
  func `adding tables to a scope again adapts the scope to renamed, rebuilt and dropped tables`()
    throws
  {
    let database = try ScopeFixture.database(
      """
      CREATE TABLE book(id TEXT PRIMARY KEY, title TEXT);
      CREATE TABLE card(id TEXT PRIMARY KEY);
      CREATE TABLE shelf(id TEXT PRIMARY KEY);
      """)
    try ScopeFixture.add(["book", "card", "shelf"].map { SyncedTable($0) }, in: database)
    try database.write { db in
      _ = try db.executeScript(
        """
        ALTER TABLE book RENAME TO volume;
        DROP TABLE card;
        CREATE TABLE rebuilt(id TEXT PRIMARY KEY, place TEXT);
        DROP TABLE shelf;
        ALTER TABLE rebuilt RENAME TO shelf;
        INSERT INTO shelf VALUES ('s1', 'left');
        """)
    }

    try ScopeFixture.add([SyncedTable("volume"), SyncedTable("shelf")], in: database)

    #expect(try database.read(CapturedTable.load).map(\.name) == ["volume", "shelf"])
    #expect(try database.fetchValue("SELECT count(*) FROM sync_to_sync") == 1)
    try database.write { db in _ = try db.execute("INSERT INTO volume VALUES ('b1', 'Dune')") }
    #expect(try database.fetchValue("SELECT count(*) FROM sync_to_sync") == 2)
  }

  // MARK: Plans

  @Test func `each statement of the capture triggers finds records and rows by an index`() throws {
    try withTemporaryDirectory { folder in
      let url = folder.appending(path: "library.sqlite")
      let database = try Database(at: url)
      try database.write { db in
        _ = try db.executeScript(
          """
          CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT, isbn TEXT UNIQUE, n INTEGER);
          CREATE UNIQUE INDEX book_title ON book(lower(title)) WHERE n > 0;
          CREATE TABLE card(id TEXT PRIMARY KEY, name TEXT);
          """)
      }
      try ScopeFixture.add(
        [SyncedTable("book", counters: ["n"]), SyncedTable("card")], in: database)

      let plan = try SQLiteShell.run(
        """
        .eqp trigger
        INSERT INTO book VALUES (1, 'x', 'y', 1);
        UPDATE book SET id = 2, n = 5, isbn = 6, title = 7 WHERE id = 1;
        DELETE FROM book WHERE id = 2;
        INSERT INTO card VALUES ('1', 2);
        UPDATE card SET id = '2', name = 3 WHERE id = '1'; DELETE FROM card WHERE id = '2'
        """, on: url)

      let steps = plan.split(separator: "\n")
      #expect(steps.count { $0.contains("SEARCH sync_record USING") } > 20)
      // The table of the clock has one row, which some statements read as `c`.
      for step in steps where step.contains("SCAN ") {
        #expect(step.contains(#/SCAN (?:c$|sync_clock|\(subquery|CONSTANT ROW)/#), "\(step)")
      }
    }
  }
}
