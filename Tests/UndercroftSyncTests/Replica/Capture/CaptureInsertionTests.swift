import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

@Suite struct CaptureInsertionTests {
  private static let schema = """
    CREATE TABLE book(
      id TEXT PRIMARY KEY, title TEXT, isbn TEXT UNIQUE, shelf TEXT, email TEXT,
      folded TEXT GENERATED ALWAYS AS (lower(shelf)) VIRTUAL);
    CREATE UNIQUE INDEX book_email ON book(lower(email) COLLATE BINARY DESC);
    CREATE UNIQUE INDEX book_folded ON book(folded) WHERE title <> 'any';
    INSERT INTO book(id, title, isbn, shelf, email)
      VALUES ('b1', 'one', '1', 'A', 'a@x'), ('b2', 'any', '2', 'A', 'b@x');
    """

  private static func library(_ recursive: Bool = false) throws -> CapturingLibrary {
    try CapturingLibrary(schema, [SyncedTable("book")], recursiveTriggers: recursive)
  }

  @Test
  func `an inserted row is captured as one pending operation and gets a row in sync_record`() throws
  {
    let library = try Self.library()

    try library.run("INSERT INTO book(id, title) VALUES ('b3', 'three')")

    #expect(try library.changeList() == ["insert book b3"])
    #expect(
      try library.text(
        """
        SELECT (kind IS NULL) || state || length(operation_identifier) || seen || base_cursor
        FROM sync_to_sync
        """) == "1pending160-1")
    #expect(
      try library.text(
        "SELECT version || isDeleted FROM sync_record WHERE primary_key = 'b3'") == "00")
    #expect(try library.dirtyKeys() == ["b3"])
    #expect(try library.integer("SELECT count(*) FROM sync_shadow_1 WHERE exists_") == 0)
  }

  @Test
  func `an operation stores the versions of its row and scope at the first captured change`()
    throws
  {
    let library = try Self.library()
    try library.run("UPDATE sync_scope SET applied_cursor = 42, head = 50, epoch = 'e'")

    try library.run("UPDATE book SET title = 'uno' WHERE id = 'b1'")
    try library.run("UPDATE sync_scope SET applied_cursor = 43, head = 51")
    try library.run("UPDATE book SET title = 'un' WHERE id = 'b1'")

    #expect(
      try library.texts("SELECT seen || ' ' || base_cursor || ' ' || known_head FROM sync_to_sync")
        == ["7 42 50"])
  }

  @Test(arguments: [false, true])
  func `INSERT OR REPLACE is captured as UPDATE, or with recursive_triggers as DELETE and INSERT`(
    recursive: Bool
  ) throws {
    let library = try Self.library(recursive)

    try library.run("INSERT OR REPLACE INTO book(id, title) VALUES ('b1', 'uno')")

    #expect(
      try library.changeList()
        == (recursive ? ["delete book b1", "insert book b1"] : ["update book b1"]))
  }

  @Test(
    arguments: [
      "('b3', 'new', '1', 'Z', 'z')", "('b3', 'new', '9', 'Z', 'A@X')",
      "('b3', 'new', '9', 'a', 'z')",
    ], [false, true])
  func `INSERT OR REPLACE captures the deletion of the replaced row with the same unique value`(
    row: String, recursive: Bool
  ) throws {
    let library = try Self.library(recursive)

    try library.run("INSERT OR REPLACE INTO book(id, title, isbn, shelf, email) VALUES \(row)")

    #expect(try library.changeList() == ["delete book b1", "insert book b3"])
    #expect(try library.integer("SELECT count(*) FROM sync_to_sync") == 2)
  }

  @Test func `REPLACE captures the deletion of every row that the new row replaces`() throws {
    let library = try Self.library()

    try library.run("REPLACE INTO book(id, title, isbn, email) VALUES ('b3', 'x', '1', 'B@x')")

    #expect(
      try library.changeList() == ["delete book b2", "delete book b1", "insert book b3"])
  }

  @Test(arguments: ["OR IGNORE", "OR FAIL", "OR ABORT", "OR ROLLBACK"])
  func `an insertion that fails or is ignored is not captured`(clause: String) throws {
    let library = try Self.library()

    library.attempt("INSERT \(clause) INTO book(id, title, isbn) VALUES ('b3', 'x', '1')")

    #expect(try library.changeList() == [])
  }

  @Test func `INSERT OR IGNORE captures only the rows that are inserted`() throws {
    let library = try Self.library()

    try library.run("INSERT OR IGNORE INTO book(id, isbn) VALUES ('b3', '1'), ('b4', '4')")

    #expect(try library.changeList() == ["insert book b4"])
  }

  @Test func `an upsert is captured as an update of an existing row or an insertion of a new row`()
    throws
  {
    let library = try Self.library()

    try library.run(
      """
      INSERT INTO book(id, title) VALUES ('b1', 'uno'), ('b3', 'three')
        ON CONFLICT(id) DO UPDATE SET title = excluded.title;
      INSERT INTO book(id, isbn) VALUES ('b5', '2') ON CONFLICT DO NOTHING;
      """)

    #expect(try library.changeList() == ["update book b1", "insert book b3"])
  }

  @Test func `a row whose key has a random default is captured with the key that was stored`()
    throws
  {
    let library = try CapturingLibrary(
      "CREATE TABLE card(id TEXT PRIMARY KEY DEFAULT (hex(randomblob(8))), name TEXT)",
      [SyncedTable("card")])

    try library.run("INSERT INTO card(name) VALUES ('Ada'), ('Grace')")

    #expect(
      try library.texts("SELECT primary_key FROM sync_record ORDER BY 1")
        == library.texts("SELECT id FROM card ORDER BY 1"))
  }

  @Test(arguments: [
    ("TEXT", "NULL"), ("TEXT", "x'00'"), ("BLOB", "'text'"), ("BLOB", "x'0011'"), ("INT", "'one'"),
    ("INT", "1.5"),
  ])
  func `inserting a row whose key cannot be a row identifier throws an error with the reason`(
    type: String, key: String
  ) throws {
    let library = try CapturingLibrary(
      "CREATE TABLE book(id \(type) PRIMARY KEY, title TEXT)", [SyncedTable("book")])

    #expect {
      try library.run("INSERT OR REPLACE INTO book VALUES (\(key), 'x')")
    } throws: { error in
      "\(error)".contains("the table \"book\" is synchronised, so its primary key must be")
    }
    #expect(try library.integer("SELECT count(*) FROM book") == 0)
    #expect(try library.integer("SELECT count(*) FROM sync_record") == 0)
  }

  @Test func `rows with integer keys get distinct UUIDs as identifiers`() throws {
    let library = try CapturingLibrary(
      "CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT)", [SyncedTable("book")])

    try library.run("INSERT INTO book(title) VALUES ('one'), ('two')")

    let identifiers = try library.texts("SELECT identifier FROM sync_record")
    #expect(Set(identifiers).count == 2)
    for identifier in identifiers {
      let pattern = #/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}/#
      #expect(identifier.wholeMatch(of: pattern) != nil, "\(identifier)")
    }
    #expect(try library.changeList() == ["insert book 1", "insert book 2"])
  }
}
