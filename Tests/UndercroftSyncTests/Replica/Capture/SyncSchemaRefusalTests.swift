import Foundation
import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// Tests of tables, columns, rows and names that cannot be added to a scope.
@Suite struct SyncSchemaRefusalTests {
  @Test func `adding a table to a scope throws misuse if a counter has a foreign key`() throws {
    let database = try ScopeFixture.database(
      """
      CREATE TABLE author(id INTEGER PRIMARY KEY);
      CREATE TABLE book(id TEXT PRIMARY KEY, author INTEGER REFERENCES author);
      """)

    #expect {
      try ScopeFixture.add(
        [SyncedTable("author"), SyncedTable("book", counters: ["Author"])], in: database)
    } throws: { error in
      StorageError.Code.misuse ~= error
        && "\(error)".contains("is a counter, but has a foreign key to the table \"author\"")
    }
  }

  @Test(arguments: ["", "a\0b", String(repeating: "x", count: 1025)])
  func `a scope or account name that a message cannot contain is refused`(name: String) throws {
    let database = try ScopeFixture.database("CREATE TABLE book(id TEXT PRIMARY KEY)")

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
    let database = try ScopeFixture.database("CREATE TABLE book(id TEXT PRIMARY KEY)")

    #expect {
      try ScopeFixture.add([SyncedTable("book"), SyncedTable("BOOK")], in: database)
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
    let database = try ScopeFixture.database(
      """
      CREATE TABLE keyless(x); CREATE TABLE pair(a, b, PRIMARY KEY(a, b));
      CREATE VIEW list AS SELECT 1 AS id; CREATE VIRTUAL TABLE search USING fts5(text);
      CREATE TABLE amount(id REAL PRIMARY KEY); CREATE TABLE sync_mine(id TEXT PRIMARY KEY);
      CREATE TEMP TABLE own(id TEXT PRIMARY KEY);
      """)
    let before = try database.read { db in try db.schema() }

    #expect {
      try ScopeFixture.add([SyncedTable(name)], in: database)
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
    let database = try ScopeFixture.database(
      """
      CREATE TABLE book(id TEXT PRIMARY KEY, title TEXT, n INTEGER,
        computed AS (n + 1)); CREATE TABLE author(id INTEGER PRIMARY KEY);
      """)

    #expect {
      try ScopeFixture.add([table], in: database)
    } throws: { error in
      "\(error)".contains(reason)
    }
  }

  @Test func `adding a table to a scope throws if keys of existing rows cannot be row identifiers`()
    throws
  {
    let database = try ScopeFixture.database(
      "CREATE TABLE book(id TEXT PRIMARY KEY); INSERT INTO book VALUES (NULL), (x'00'), ('b')")

    #expect {
      try ScopeFixture.add([SyncedTable("book")], in: database)
    } throws: { error in
      "\(error)".contains("must be a text, but the keys of 2 rows are not")
    }
    #expect(try !database.read { db in try SyncSchema.exists(in: db) })
  }

  @Test
  func `adding a table throws if the table is in another scope or the scope in another account`()
    throws
  {
    let database = try ScopeFixture.database("CREATE TABLE book(id TEXT PRIMARY KEY)")
    try ScopeFixture.add([SyncedTable("book")], in: database)

    #expect {
      try ScopeFixture.add([SyncedTable("book")], to: "cellar", in: database)
    } throws: { error in
      "\(error)".contains("the table already belongs to the scope \"shelf\"")
    }
    #expect {
      try ScopeFixture.add([SyncedTable("book")], account: "grace", in: database)
    } throws: { error in
      "\(error)".contains("the scope belongs to the account \"ada\"")
    }
    #expect(try database.fetchValue("SELECT count(*) FROM sync_scope") == 1)
  }

  @Test
  func `adding a table to a scope throws if the table refers to integer keys in another scope`()
    throws
  {
    let database = try ScopeFixture.database(
      """
      CREATE TABLE author(id INTEGER PRIMARY KEY);
      CREATE TABLE shelf(id TEXT PRIMARY KEY);
      CREATE TABLE book(id TEXT PRIMARY KEY, author INTEGER REFERENCES author(id));
      CREATE TABLE note(id TEXT PRIMARY KEY, shelf TEXT REFERENCES shelf(id));
      """)
    try ScopeFixture.add([SyncedTable("author"), SyncedTable("shelf")], in: database)

    #expect {
      try ScopeFixture.add([SyncedTable("book")], to: "cellar", in: database)
    } throws: { error in
      "\(error)".contains("refers to the table \"author\" of another scope")
    }
    // The keys of shelves are the same in all databases.
    try ScopeFixture.add([SyncedTable("note")], to: "cellar", in: database)
    #expect(try database.read(CapturedTable.load).map(\.name) == ["author", "shelf", "note"])
  }

  @Test func `adding a table throws if a counter of an existing row is not an integer`() throws {
    let database = try ScopeFixture.database(
      "CREATE TABLE book(id TEXT PRIMARY KEY, n INTEGER); INSERT INTO book VALUES ('b1', 'many')")

    let error = #expect(throws: StorageError.self) {
      try ScopeFixture.add([SyncedTable("book", counters: ["n"])], in: database)
    }

    #expect(error?.code == .constraintViolated)
    #expect(error?.failure.contains("1 row contains another value") == true)
    #expect(try !database.read { db in try SyncSchema.exists(in: db) })
  }
}
