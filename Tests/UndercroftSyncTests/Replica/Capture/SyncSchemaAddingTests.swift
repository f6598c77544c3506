import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

@Suite struct SyncSchemaAddingTests {
  private static func database(_ script: String) throws -> Database {
    let database = try Database.inMemory()
    try database.write { db in _ = try db.executeScript(SQL(unchecked: script)) }
    return database
  }

  private static func add(
    _ tables: [SyncedTable], to scope: ScopeIdentifier = "shelf", account: String = "ada",
    in database: Database, batchSize: Int = 5_000
  ) throws {
    try SyncSchema.add(
      tables, toScope: scope, account: account, in: database, batchSize: batchSize)
  }

  // MARK: Columns

  @Test func `adding a table to a scope throws misuse if a counter has a foreign key`() throws {
    let database = try Self.database(
      """
      CREATE TABLE author(id INTEGER PRIMARY KEY);
      CREATE TABLE book(id TEXT PRIMARY KEY, author INTEGER REFERENCES author);
      """)

    #expect {
      try Self.add(
        [SyncedTable("author"), SyncedTable("book", counters: ["Author"])], in: database)
    } throws: { error in
      StorageError.Code.misuse ~= error
        && "\(error)".contains("is a counter, but has a foreign key to the table \"author\"")
    }
  }

  @Test
  func `SyncedTable and foreign keys determine which columns are counters, references or local`()
    throws
  {
    let database = try Self.database(
      """
      CREATE TABLE author(id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      CREATE TABLE shelf(id TEXT PRIMARY KEY);
      CREATE TABLE Book(
        id TEXT PRIMARY KEY, Title TEXT, copies INTEGER, author INTEGER REFERENCES AUTHOR,
        editor INTEGER REFERENCES author(id), name TEXT REFERENCES author(name),
        place TEXT, other TEXT REFERENCES shelf(id), draft TEXT);
      """)

    try Self.add(
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
    let database = try Self.database(
      """
      CREATE TABLE author(id INTEGER PRIMARY KEY);
      CREATE TABLE book(id TEXT PRIMARY KEY, author INTEGER REFERENCES author);
      """)

    try Self.add([SyncedTable("book")], in: database)
    try Self.add([SyncedTable("author")], in: database)

    let book = try #require(try database.read(CapturedTable.load).first)
    #expect(book.columns.map(\.role) == [.reference])
  }

  // MARK: Refusals

  @Test(arguments: ["", "a\0b", String(repeating: "x", count: 1025)])
  func `a scope or account name that a message cannot contain is refused`(name: String) throws {
    let database = try Self.database("CREATE TABLE book(id TEXT PRIMARY KEY)")

    for (scope, account) in [(name, "ada"), ("shelf", name)] {
      #expect {
        try SyncSchema.add(
          [SyncedTable("book")], toScope: ScopeIdentifier(scope), account: account, in: database)
      } throws: { error in
        StorageError.Code.misuse ~= error && "\(error)".contains("cannot create a SyncEngine")
      }
    }
    #expect(try !database.read { db in try SyncSchema.exists(in: db) })
  }

  @Test func `a table that is listed twice is refused`() throws {
    let database = try Self.database("CREATE TABLE book(id TEXT PRIMARY KEY)")

    #expect {
      try Self.add([SyncedTable("book"), SyncedTable("BOOK")], in: database)
    } throws: { error in
      StorageError.Code.misuse ~= error && "\(error)".contains("is listed twice")
    }
  }

  @Test(arguments: [
    ("missing", "the main database has no table with this name"), ("list", "denotes a view,"),
    ("search", "denotes a virtual table,"), ("keyless", "the table has no primary key"),
    ("pair", "has several columns (\"a\", \"b\")"),
    ("amount", "the primary key \"id\" has the type \"REAL\""),
    ("sync_mine", "are reserved for the tables of"),
    ("own", "the main database has no table with this name"),
  ])
  func `if a table cannot be captured, adding it to a scope throws an error with the reason`(
    name: String, reason: String
  ) throws {
    let database = try Self.database(
      """
      CREATE TABLE keyless(x); CREATE TABLE pair(a, b, PRIMARY KEY(a, b));
      CREATE VIEW list AS SELECT 1 AS id; CREATE VIRTUAL TABLE search USING fts5(text);
      CREATE TABLE amount(id REAL PRIMARY KEY); CREATE TABLE sync_mine(id TEXT PRIMARY KEY);
      CREATE TEMP TABLE own(id TEXT PRIMARY KEY);
      """)
    let before = try database.read { db in try db.schema() }

    #expect {
      try Self.add([SyncedTable(name)], in: database)
    } throws: { error in
      "\(error)".contains("cannot synchronise the table \"\(name)\"")
        && "\(error)".contains(reason) && (error as? StorageError)?.suggestion != nil
    }
    #expect(try database.read { db in try db.schema() }.count == before.count)
  }

  @Test(arguments: [
    (
      SyncedTable("book", counters: ["title"]),
      "the column \"title\" is a counter, but is not declared as INTEGER"
    ),
    (
      SyncedTable("book", counters: ["id"]),
      "the column \"id\" is declared as a counter column, but the column is the primary key"
    ),
    (
      SyncedTable("book", local: ["none"]),
      "the column \"none\" is declared as a local column, but the table has no such column"
    ),
    (
      SyncedTable("book", local: ["computed"]),
      "the column \"computed\" is declared as a local column, but the column is generated"
    ),
    (SyncedTable("book", counters: ["n"], local: ["N"]), "the column \"n\" is declared twice"),
    (
      SyncedTable("book", counters: ["n"], policy: TablePolicy(columns: ["N": .ask])),
      "the column \"N\" is a counter, but has the policy ask"
    ),
    (
      SyncedTable("book", local: ["title"], policy: TablePolicy(columns: ["title": .ask])),
      "the column \"title\" is a local column, but has the policy ask"
    ),
    (
      SyncedTable("book", policy: TablePolicy(columns: ["tite": .ask])),
      "the policy of the table names the column \"tite\", but the table has no such column"
    ),
    (
      SyncedTable("book", policy: TablePolicy(.counter)),
      "the default policy of the table is .counter, which is permitted only for single columns"
    ),
    (
      SyncedTable("book", policy: TablePolicy(columns: ["title": .counter])),
      "the column \"title\" is a counter, but is not declared as INTEGER"
    ),
    (SyncedTable("book", references: ["n": "author"]), "\"author\", which is not synchronised"),
  ])
  func `adding a table to a scope throws an error if a column role or conflict policy is invalid`(
    table: SyncedTable, reason: String
  ) throws {
    let database = try Self.database(
      """
      CREATE TABLE book(id TEXT PRIMARY KEY, title TEXT, n INTEGER,
        computed AS (n + 1)); CREATE TABLE author(id INTEGER PRIMARY KEY);
      """)

    #expect {
      try Self.add([table], in: database)
    } throws: { error in
      "\(error)".contains(reason)
    }
  }

  @Test func `adding a table to a scope throws if keys of existing rows cannot be row identifiers`()
    throws
  {
    let database = try Self.database(
      "CREATE TABLE book(id TEXT PRIMARY KEY); INSERT INTO book VALUES (NULL), (x'00'), ('b')")

    #expect {
      try Self.add([SyncedTable("book")], in: database)
    } throws: { error in
      "\(error)".contains("must be a text, but the keys of 2 rows are not")
    }
    #expect(try !database.read { db in try SyncSchema.exists(in: db) })
  }

  @Test
  func `adding a table throws if the table is in another scope or the scope in another account`()
    throws
  {
    let database = try Self.database("CREATE TABLE book(id TEXT PRIMARY KEY)")
    try Self.add([SyncedTable("book")], in: database)

    #expect {
      try Self.add([SyncedTable("book")], to: "cellar", in: database)
    } throws: { error in
      "\(error)".contains("the table already belongs to the scope \"shelf\"")
    }
    #expect {
      try Self.add([SyncedTable("book")], account: "grace", in: database)
    } throws: { error in
      "\(error)".contains("the scope belongs to the account \"ada\"")
    }
    #expect(try database.fetchValue("SELECT count(*) FROM sync_scope") == 1)
  }

  @Test
  func `adding a table to a scope throws if the table refers to integer keys in another scope`()
    throws
  {
    let database = try Self.database(
      """
      CREATE TABLE author(id INTEGER PRIMARY KEY);
      CREATE TABLE shelf(id TEXT PRIMARY KEY);
      CREATE TABLE book(id TEXT PRIMARY KEY, author INTEGER REFERENCES author(id));
      CREATE TABLE note(id TEXT PRIMARY KEY, shelf TEXT REFERENCES shelf(id));
      """)
    try Self.add([SyncedTable("author"), SyncedTable("shelf")], in: database)

    #expect {
      try Self.add([SyncedTable("book")], to: "cellar", in: database)
    } throws: { error in
      "\(error)".contains("refers to the table \"author\" of another scope")
    }
    // The keys of shelves are the same in all databases.
    try Self.add([SyncedTable("note")], to: "cellar", in: database)
    #expect(try database.read(CapturedTable.load).map(\.name) == ["author", "shelf", "note"])
  }

  // MARK: Existing rows

  @Test(arguments: ["TEXT", "INTEGER", "TEXT COLLATE NOCASE"], [1, 7, 10, 5_000])
  func `the existing rows of a table that is added to a scope become pending insertions`(
    type: String, batchSize: Int
  )
    throws
  {
    let database = try Self.database(
      """
      CREATE TABLE book(id \(type) PRIMARY KEY, title TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
      INSERT INTO book SELECT iif(i % 2, i, \(type == "INTEGER" ? "i" : "'A' || i")), i FROM n;
      """)

    try Self.add([SyncedTable("book")], in: database, batchSize: batchSize)

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
    let database = try Self.database(
      """
      CREATE TABLE book(id TEXT PRIMARY KEY, title TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
      INSERT INTO book SELECT 'b' || i, i FROM n;
      """)
    try Self.add([SyncedTable("book")], in: database)
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

    try Self.add([SyncedTable("book")], in: database, batchSize: 4)

    let library = CapturingLibrary(opening: database)
    #expect(
      try Set(library.changeList().map { ExactString($0) })
        == Set((0..<20).map { ExactString("insert book b\($0)") }))
    #expect(try library.integer("SELECT count(*) FROM sync_to_sync") == 20)
  }

  @Test func `adding a table throws if a counter of an existing row is not an integer`() throws {
    let database = try Self.database(
      "CREATE TABLE book(id TEXT PRIMARY KEY, n INTEGER); INSERT INTO book VALUES ('b1', 'many')")

    let error = #expect(throws: StorageError.self) {
      try Self.add([SyncedTable("book", counters: ["n"])], in: database)
    }

    #expect(error?.code == .constraintViolated)
    #expect(error?.failure.contains("1 row contains another value") == true)
    #expect(try !database.read { db in try SyncSchema.exists(in: db) })
  }

  @Test func `adding tables that are already in the scope writes nothing`() throws {
    let database = try Self.database(
      "CREATE TABLE book(id TEXT PRIMARY KEY, n INTEGER); INSERT INTO book VALUES ('b1', 1)")
    try Self.add([SyncedTable("book", counters: ["n"])], in: database)
    let before = try database.fetchValue("PRAGMA schema_version", as: Int.self)

    try Self.add([SyncedTable("book", counters: ["n"])], in: database)

    #expect(try database.fetchValue("PRAGMA schema_version") == before)
    #expect(try database.fetchValue("SELECT count(*) FROM sync_to_sync") == 1)
    #expect(try database.fetchValue("SELECT count(*) FROM sync_scope") == 1)
  }

  @Test
  func `adding tables to a scope again adapts the scope to renamed, rebuilt and dropped tables`()
    throws
  {
    let database = try Self.database(
      """
      CREATE TABLE book(id TEXT PRIMARY KEY, title TEXT);
      CREATE TABLE card(id TEXT PRIMARY KEY);
      CREATE TABLE shelf(id TEXT PRIMARY KEY);
      """)
    try Self.add(["book", "card", "shelf"].map { SyncedTable($0) }, in: database)
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

    try Self.add([SyncedTable("volume"), SyncedTable("shelf")], in: database)

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
      try Self.add([SyncedTable("book", counters: ["n"]), SyncedTable("card")], in: database)

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
