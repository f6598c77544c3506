import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

@Suite struct CaptureDeletionTests {
  private static let schema = """
    CREATE TABLE author(id TEXT PRIMARY KEY, name TEXT);
    CREATE TABLE book(
      id TEXT PRIMARY KEY, title TEXT, copies INTEGER NOT NULL DEFAULT 0,
      author TEXT REFERENCES author(id) ON DELETE CASCADE,
      editor TEXT REFERENCES author(id) ON DELETE SET NULL ON UPDATE CASCADE);
    INSERT INTO author VALUES ('a1', 'Ada'), ('a2', 'Grace');
    INSERT INTO book VALUES ('b1', 'one', 1, 'a1', 'a2'), ('b2', 'two', 2, 'a2', 'a1');
    """

  private static func library() throws -> CapturingLibrary {
    try CapturingLibrary(
      schema, [SyncedTable("author"), SyncedTable("book", counters: ["copies"])])
  }

  @Test
  func `a captured deletion stores the deleted row and marks the row's sync record as deleted`()
    throws
  {
    let library = try Self.library()

    try library.run("DELETE FROM book WHERE id = 'b1'")

    #expect(try library.changeList() == ["delete book b1"])
    #expect(try library.integer("SELECT isDeleted FROM sync_record WHERE primary_key = 'b1'") == 1)
    #expect(try library.dirtyKeys() == ["b1"])
    #expect(try library.text("SELECT c0 FROM sync_shadow_2") == "one")
  }

  @Test func `a DELETE statement without a condition captures the deletion of every row`() throws {
    let library = try Self.library()

    try library.run("DELETE FROM book")

    #expect(try library.changeList() == ["delete book b1", "delete book b2"])
  }

  @Test func `changes that foreign key actions make are captured`() throws {
    let library = try Self.library()

    try library.run("DELETE FROM author WHERE id = 'a1'")

    #expect(
      Set(try library.changeList()) == ["delete author a1", "delete book b1", "update book b2"])
  }

  @Test func `a change of a primary key is captured together with its ON UPDATE CASCADE changes`()
    throws
  {
    let library = try Self.library()
    try library.run("UPDATE book SET author = NULL")
    try library.settle()

    try library.run("UPDATE author SET id = 'a9' WHERE id = 'a1'")

    #expect(
      Set(try library.changeList()) == ["delete author a1", "insert author a9", "update book b2"])
  }

  @Test func `inserting and deleting a row before sending leaves no captured change`() throws {
    let library = try Self.library()

    try library.run("INSERT INTO book(id, title) VALUES ('b3', 'three')")
    try library.run("UPDATE book SET title = 'drei', copies = 4 WHERE id = 'b3'")
    try library.run("DELETE FROM book WHERE id = 'b3'")

    for table in ["sync_to_sync", "sync_absorbed", "sync_shadow_2", "sync_image_2"] {
      #expect(try library.integer("SELECT count(*) FROM \(table)") == 0, "\(table)")
    }
    #expect(try library.integer("SELECT count(*) FROM sync_record WHERE primary_key = 'b3'") == 0)
  }

  @Test func `the deletion of a row whose insertion was sent is captured`() throws {
    let library = try Self.library()
    try library.run("INSERT INTO book(id, title) VALUES ('b3', 'three')")
    try library.run(
      """
      UPDATE sync_to_sync SET state = 'sealed', sequence = 1;
      UPDATE sync_shadow_2 SET pending = NULL;
      """)

    try library.run("DELETE FROM book WHERE id = 'b3'")

    #expect(try library.texts("SELECT state FROM sync_to_sync") == ["sealed", "pending"])
    #expect(try library.integer("SELECT isDeleted FROM sync_record WHERE primary_key = 'b3'") == 1)
    #expect(try library.dirtyKeys() == ["b3"])
  }

  @Test func `deleting a row and inserting a row with the same key is captured as two operations`()
    throws
  {
    let library = try Self.library()

    try library.run("DELETE FROM book WHERE id = 'b1'")
    try library.run("INSERT INTO book(id, title) VALUES ('b1', 'new')")

    #expect(try library.changeList() == ["delete book b1", "insert book b1"])
    #expect(
      try library.texts("SELECT state FROM sync_to_sync ORDER BY local_id") == [
        "closed", "pending",
      ])
    #expect(try library.integer("SELECT isDeleted FROM sync_record WHERE primary_key = 'b1'") == 0)
    #expect(try library.dirtyKeys() == ["b1"])
  }

  @Test
  func `deleting, inserting and deleting a row with the same key is captured as one deletion`()
    throws
  {
    let library = try Self.library()

    try library.run("DELETE FROM book WHERE id = 'b1'")
    try library.run("INSERT INTO book(id, title) VALUES ('b1', 'new')")
    try library.run("DELETE FROM book WHERE id = 'b1'")

    #expect(try library.changeList() == ["delete book b1"])
  }

  @Test func `a row that reuses the integer key of a deleted row gets a new identifier`() throws {
    let library = try CapturingLibrary(
      "CREATE TABLE card(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO card VALUES (5, 'Ada')",
      [SyncedTable("card")])
    let identifier = try library.text("SELECT identifier FROM sync_record")

    try library.run("DELETE FROM card")
    try library.run("INSERT INTO card VALUES (5, 'Grace')")

    #expect(try library.changeList() == ["delete card #", "insert card 5"])
    #expect(
      try library.text("SELECT identifier FROM sync_record WHERE primary_key = 5") != identifier)
  }
}
