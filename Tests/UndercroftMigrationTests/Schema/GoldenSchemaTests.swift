import Foundation
import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

/// Tests that the SQL of a golden schema recreates the same database.
struct GoldenSchemaTests {
  /// Returns the rows of all ordinary and virtual tables, with the types of the values.
  static func rows(of database: Database) throws -> [String: [[SQLValue]]] {
    try database.read { db in
      var rows: [String: [[SQLValue]]] = [:]
      for table in try DatabaseSchema(of: db).objects where table.kind == .table {
        rows[table.name] = try db.fetchAll("SELECT * FROM \(identifier: table.name)") { row in
          try (0..<row.count).map { try row[$0] as SQLValue }
        }
        // A spatial index has no defined order.
        let isVirtual = table.sql?.hasPrefix("CREATE VIRTUAL") == true
        if isVirtual { rows[table.name]?.sort { "\($0)" < "\($1)" } }
      }
      if try db.tableExists("sqlite_sequence") {
        rows["sqlite_sequence"] = try db.fetchAll("SELECT * FROM sqlite_sequence ORDER BY name") {
          row in [try row[0], try row[1]]
        }
      }
      return rows
    }
  }

  /// Creates a database from a script, recreates it from its golden SQL, and expects no difference.
  @discardableResult
  static func expectRoundTrip(
    _ script: SQL, _ more: (Connection) throws -> Void = { _ in }
  ) throws -> GoldenSchema {
    let database = try Database.inMemory()
    try database.writeWithoutTransaction { db in
      try db.execute("PRAGMA foreign_keys = OFF")
      try db.transaction { db in
        try db.executeScript(script)
        try more(db)
      }
    }

    let golden = try database.read { db in try GoldenSchema(of: db, version: "3") }
    let again = try golden.database()
    let (one, other) = (
      try database.read { db in try DatabaseSchema(of: db) },
      try again.read { db in try DatabaseSchema(of: db) }
    )

    #expect(one == other)
    // The copy has its indexes and views after its tables.
    let texts = { (schema: DatabaseSchema) in
      schema.objects.map { "\($0.kind) \($0.name): \($0.sql ?? "")" }.sorted()
    }
    #expect(texts(one) == texts(other))
    let (before, after) = (try rows(of: database), try rows(of: again))
    for (table, rows) in before { #expect(rows == after[table], "\(table)") }
    #expect(before.count == after.count)
    #expect(try again.integrityCheck() == [])
    // The golden SQL of the copy is identical byte by byte.
    let second = try again.read { db in try GoldenSchema(of: db, version: "3") }
    #expect(second == golden)
    return golden
  }

  @Test
  func `a GoldenSchema contains CREATE and INSERT statements in an order that SQLite can execute`()
    throws
  {
    let golden = try Self.expectRoundTrip(
      """
      CREATE TABLE shelf (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE book (id INTEGER PRIMARY KEY,  title TEXT, shelf INTEGER REFERENCES shelf (id));
      CREATE INDEX book_title ON book (title);
      CREATE VIEW titles AS SELECT title FROM book;
      CREATE TABLE late (id INTEGER);
      INSERT INTO shelf VALUES (1, 'it''s new'), (2, 'old')
      """)

    #expect(
      golden.text == """
        -- Version "3" of the schema, frozen: do not edit.
        -- To be run in one transaction, on an empty database.
        CREATE TABLE shelf (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE book (id INTEGER PRIMARY KEY,  title TEXT, shelf INTEGER REFERENCES shelf (id));
        CREATE TABLE late (id INTEGER);
        PRAGMA defer_foreign_keys = ON;
        INSERT INTO "shelf" ("id", "name") VALUES (1, 'it''s new');
        INSERT INTO "shelf" ("id", "name") VALUES (2, 'old');
        CREATE INDEX book_title ON book (title);
        CREATE VIEW titles AS SELECT title FROM book;

        """)
  }

  @Test func `a line break in a version name does not end the header comment of a GoldenSchema`()
    throws
  {
    let database = try Database.inMemory()
    let golden = try database.read { db in
      try GoldenSchema(of: db, version: "1\nCREATE TABLE stolen (x);")
    }

    #expect(try DatabaseSchema(of: golden.script).objects.isEmpty)
  }

  @Test func `a GoldenSchema contains no INSERT statement if includesRows is false`() throws {
    let database = try Database.inMemory()
    try database.write { db in
      try db.executeScript("CREATE TABLE shelf (name TEXT); INSERT INTO shelf VALUES ('new')")
    }

    let golden = try database.read { db in try GoldenSchema(of: db, includesRows: false) }
    #expect(!golden.text.contains("INSERT"))
    #expect(golden.text.contains("CREATE TABLE shelf"))
  }

  @Test func `a GoldenSchema recreates every value bit for bit`() throws {
    var generator = SystemRandomNumberGenerator()
    var values: [SQLValue] = [
      .null, .integer(.min), .integer(.max), .integer(0), .text(""), .text("it's\n\"x\" -- no\r\t"),
      .text("nul \0 inside"), .text("\0"), .text("ü 書 👩‍👩‍👧"), .blob(Data()),
      .blob(Data([0, 255, 39])),
      .text(String(repeating: "\r\u{1}a", count: 500)), .text("\u{FEFF}bom"),
    ]
    let numbers: [Double] = [
      0, -0.0, .infinity, -.infinity, 0.1, -1.5, 1e300, 1e22, 1e23, .leastNonzeroMagnitude,
      .leastNormalMagnitude,
      .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .pi, 9_007_199_254_740_992,
      123456789012345680,
      .leastNormalMagnitude.nextDown, 8.41e21,
    ]
    values += numbers.map { .real($0) }
    for _ in 0..<2_000 {
      let number = Double(bitPattern: generator.next())
      if !number.isNaN { values.append(.real(number)) }
    }

    let golden = try Self.expectRoundTrip("CREATE TABLE thing (id INTEGER PRIMARY KEY, value)") {
      db in
      for value in values { try db.execute("INSERT INTO thing (value) VALUES (\(value))") }
    }
    let read = try golden.database().fetchAll("SELECT value FROM thing ORDER BY id") { row in
      try row[0] as SQLValue
    }

    for (value, other) in zip(values, read) {
      guard case .real(let number) = value, case .real(let again) = other else {
        #expect(value == other)
        continue
      }
      #expect(number.bitPattern == again.bitPattern, "\(number)")
    }
  }

  @Test func `a GoldenSchema recreates all kinds of tables with their rows`() throws {
    try Self.expectRoundTrip(
      """
      CREATE TABLE "select" ("from" TEXT, "a ""b"" c" INTEGER, "line
      break" BLOB);
      INSERT INTO "select" VALUES ('x', 1, x'00ff'), (NULL, 2, 'y');
      CREATE TABLE pair (b TEXT, a INTEGER, value ANY, PRIMARY KEY (a, b)) STRICT, WITHOUT ROWID;
      INSERT INTO pair VALUES ('z', 1, 1.0), ('a', 2, '1'), ('b', 1, NULL);
      CREATE TABLE price (net REAL, rate REAL DEFAULT 0.2, gross REAL AS (net * (1 + rate)) STORED, note TEXT AS ('n') VIRTUAL);
      INSERT INTO price (net) VALUES (10), (0.1);
      CREATE TABLE author (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT CHECK (length(name) > 1) COLLATE NOCASE UNIQUE);
      INSERT INTO author VALUES (7, 'Le Guin'), (9, 'Lem');
      DELETE FROM author WHERE id = 9;
      CREATE TABLE emptied (id INTEGER PRIMARY KEY AUTOINCREMENT);
      INSERT INTO emptied VALUES (40);
      DELETE FROM emptied;
      CREATE TABLE hidden (rowid TEXT, oid TEXT, _rowid_ TEXT);
      INSERT INTO hidden VALUES ('b', 'x', 'y'), ('a', 'x', 'y');
      CREATE TABLE keyed (id INTEGER PRIMARY KEY DESC, name TEXT);
      INSERT INTO keyed VALUES (5, 'five'), (NULL, 'none');
      CREATE TABLE log (text TEXT);
      CREATE TRIGGER logged AFTER INSERT ON author BEGIN
        INSERT INTO log VALUES ('author; ' || new.id);
      END;
      CREATE VIEW names (n) AS SELECT name FROM author;
      CREATE TRIGGER renamed INSTEAD OF UPDATE ON names BEGIN SELECT CASE WHEN 1 THEN 2 END; END;
      CREATE VIEW more AS SELECT n FROM names;
      CREATE UNIQUE INDEX long_names ON author (name, length(name) DESC) WHERE id > 3
      """)
  }

  @Test
  func `a GoldenSchema retains the rowids of a table that an external-content FTS5 table indexes`()
    throws
  {
    let golden = try Self.expectRoundTrip(
      """
      CREATE TABLE note (text TEXT);
      INSERT INTO note VALUES ('a'), ('b'), ('c');
      DELETE FROM note WHERE text = 'b';
      CREATE VIRTUAL TABLE note_search USING fts5(text, content='note');
      INSERT INTO note_search (note_search) VALUES ('rebuild')
      """)

    #expect(golden.text.contains("INSERT INTO \"note\" (\"rowid\", \"text\") VALUES (3, 'c');"))
    let found = try golden.database().fetchAll(
      "SELECT rowid FROM note_search WHERE note_search MATCH 'c'"
    ) { row in try row[0] as Int }
    #expect(found == [3])
  }

  @Test
  func `a GoldenSchema creates a view before it rebuilds a full-text table that reads the view`()
    throws
  {
    let golden = try Self.expectRoundTrip(
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT);
      INSERT INTO note VALUES (3, 'moss');
      CREATE VIEW loud AS SELECT id, upper(text) AS text FROM note;
      CREATE VIRTUAL TABLE words USING fts5(text, content='loud', content_rowid='id');
      INSERT INTO words (words) VALUES ('rebuild')
      """)

    let found = try golden.database().fetchAll("SELECT rowid FROM words WHERE words MATCH 'moss'") {
      row in try row[0] as Int
    }
    #expect(found == [3])
  }

  @Test func `a GoldenSchema supports rows that reference rows of tables created later`() throws {
    try Self.expectRoundTrip(
      """
      CREATE TABLE loan (id INTEGER PRIMARY KEY, reader INTEGER REFERENCES reader (id) ON DELETE RESTRICT);
      CREATE TABLE reader (id INTEGER PRIMARY KEY, friend INTEGER REFERENCES reader (id));
      INSERT INTO reader VALUES (2, NULL), (1, 2);
      UPDATE reader SET friend = 1 WHERE id = 2;
      INSERT INTO loan VALUES (1, 2)
      """)

    let database = try Database.inMemory()
    try database.write { db in
      try db.executeScript(
        """
        CREATE TABLE loan (reader INTEGER REFERENCES reader (id));
        CREATE TABLE reader (id INTEGER PRIMARY KEY);
        INSERT INTO reader VALUES (1); INSERT INTO loan VALUES (1)
        """)
    }

    // The same with enforced foreign keys in a transaction.
    let script = try database.read { db in try GoldenSchema(of: db).script }
    let other = try Database.inMemory()
    try other.write { db in try db.executeScript(script) }
    #expect(try other.fetchValue("SELECT count(*) FROM loan", as: Int.self) == 1)
  }

  @Test func `a GoldenSchema recreates full-text and spatial tables with their settings`() throws {
    let golden = try Self.expectRoundTrip(
      """
      CREATE VIRTUAL TABLE search USING fts5(title, note UNINDEXED, prefix = '2 3');
      INSERT INTO search (rowid, title, note) VALUES (5, 'The Dispossessed', 'x'), (9, 'Solaris', NULL);
      INSERT INTO search (search, rank) VALUES ('automerge', 2);
      CREATE VIRTUAL TABLE empty USING fts5(title, content='');
      CREATE VIRTUAL TABLE terms USING fts5vocab(search, 'row');
      CREATE VIRTUAL TABLE old USING fts4(title);
      INSERT INTO old (docid, title) VALUES (3, 'Ubik');
      CREATE VIRTUAL TABLE place USING rtree(id, x1, x2);
      INSERT INTO place VALUES (1, 0.1, 0.7)
      """)

    #expect(golden.text.contains("('automerge', 2)"))
    let found = try golden.database().fetchAll("SELECT rowid FROM search WHERE search MATCH 'sol*'")
    {
      row in try row[0] as Int
    }
    #expect(found == [9])
  }

  @Test func `creating a GoldenSchema throws if the rows of a table cannot be read`() throws {
    let database = try Database.inMemory()
    try database.write { db in
      try db.executeScript(
        """
        CREATE VIRTUAL TABLE search USING fts5(title, content='');
        INSERT INTO search (rowid, title) VALUES (1, 'Solaris')
        """)
    }

    let error = #expect(throws: StorageError.self) {
      try database.read { db in _ = try GoldenSchema(of: db) }
    }
    #expect(error?.code == .notSupported)
    #expect(error?.message.contains("\"search\"") == true)
  }

  @Test
  func `a comment at the end of a statement in a GoldenSchema does not hide the next statement`()
    throws
  {
    let golden = try Self.expectRoundTrip(
      """
      CREATE TABLE book (id INTEGER);
      CREATE VIEW one AS SELECT id FROM book -- the last
      ;
      CREATE VIEW two AS SELECT id FROM book
      """)
    #expect(golden.text.contains("-- the last\n;\n"))

    let database = try Database.inMemory()
    try database.write { db in
      try db.execute("CREATE TABLE book (id INTEGER)")
      try db.execute("CREATE VIEW one AS SELECT id FROM book /* open")
      try db.execute("CREATE VIEW two AS SELECT id FROM book -- open")
    }
    let text = try database.read { db in try GoldenSchema(of: db) }
    #expect(try DatabaseSchema(of: text.script).objects.count == 3)
  }

  @Test func `a GoldenSchema recreates the user version and the application ID`() throws {
    let golden = try Self.expectRoundTrip("CREATE TABLE book (id)") { db in
      try db.setUserVersion(-7)
      try db.setApplicationID(1234)
    }

    let again = try golden.database()
    #expect(try again.read { db in try db.userVersion() } == -7)
    #expect(try again.read { db in try db.applicationID() } == 1234)
  }
}
