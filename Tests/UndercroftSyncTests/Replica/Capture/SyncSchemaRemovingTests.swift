import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

@Suite struct SyncSchemaRemovingTests {
  @Test
  func `removing synchronisation leaves only the tables, indexes and triggers of the application`()
    throws
  {
    let database = try Database.inMemory()
    try database.write { db in
      _ = try db.executeScript(
        """
        CREATE TABLE book(id TEXT PRIMARY KEY, n INTEGER); CREATE INDEX book_n ON book(n);
        CREATE TABLE sync_settings(name); INSERT INTO book VALUES ('b1', 1);
        CREATE TRIGGER sync_mine AFTER INSERT ON book BEGIN SELECT 1; END;
        """)
    }
    let before = try database.read { db in try db.schema() }
    try SyncSchema.add(
      [SyncedTable("book", counters: ["n"])], toScope: "shelf", account: "ada", in: database)
    try database.write { db in
      _ = try db.executeScript(
        "UPDATE book SET n = 2; DELETE FROM book; INSERT INTO book VALUES ('b1', 3); ANALYZE")
    }

    try SyncSchema.remove(from: database)
    try SyncSchema.remove(from: database)

    let after = try database.read { db in try db.schema() }
    // SQLite creates these tables for AUTOINCREMENT and ANALYZE, and refuses to drop them.
    #expect(after.filter { !$0.name.hasPrefix("sqlite_s") } == before)
    #expect(try database.fetchValue("SELECT count(*) FROM sqlite_sequence") == 0)
    #expect(
      try database.fetchValue("SELECT count(*) FROM sqlite_stat1 WHERE tbl <> 'book'") == 0)
    #expect(try database.execute("UPDATE book SET n = 4") == 1)
  }

  @Test func `synchronisation can be added again after it was removed`() throws {
    let library = try CapturingLibrary(
      "CREATE TABLE book(id TEXT PRIMARY KEY); INSERT INTO book VALUES ('b1')",
      [SyncedTable("book")])

    try SyncSchema.remove(from: library.database)
    try SyncSchema.add(
      [SyncedTable("book")], toScope: "cellar", account: "grace", in: library.database)

    #expect(try library.changeList() == ["insert book b1"])
  }
}
