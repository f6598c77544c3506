import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

@Suite struct CaptureTriggersTests {
  private static let schema = """
    CREATE TABLE book(id TEXT PRIMARY KEY, title TEXT, copies INTEGER, updates INTEGER DEFAULT 0);
    INSERT INTO book VALUES ('b1', 'one', 1, 0), ('b2', 'two', 2, 0);
    """

  private static func library(_ additions: String = "") throws -> CapturingLibrary {
    try CapturingLibrary(schema + additions, [SyncedTable("book", counters: ["copies"])])
  }

  // MARK: Transactions

  @Test func `rolling back a transaction also rolls back the captured changes of the transaction`()
    throws
  {
    let library = try Self.library()
    struct Stop: Error {}

    #expect(throws: Stop.self) {
      try library.database.write { db in
        try db.execute("UPDATE book SET title = 'uno'")
        try db.execute("DELETE FROM book WHERE id = 'b2'")
        throw Stop()
      }
    }

    #expect(try library.integer("SELECT count(*) FROM sync_to_sync") == 0)
    #expect(try library.integer("SELECT count(*) FROM sync_shadow_1") == 0)
    #expect(try library.integer("SELECT count(*) FROM sync_record WHERE isDeleted") == 0)
  }

  @Test func `changes in a savepoint that is rolled back are not captured`() throws {
    let library = try Self.library()
    struct Stop: Error {}

    try library.database.write { db in
      try db.execute("UPDATE book SET title = 'uno' WHERE id = 'b1'")
      #expect(throws: Stop.self) {
        try db.transaction { db in
          try db.execute("UPDATE book SET title = 'due' WHERE id = 'b2'")
          throw Stop()
        }
      }
    }

    #expect(try library.changeList() == ["update book b1"])
  }

  @Test func `changes that the sqlite3 program makes in another process are captured`() throws {
    try withTemporaryDirectory { folder in
      let url = folder.appending(path: "library.sqlite")
      let database = try Database(at: url)
      try database.write { db in _ = try db.executeScript(SQL(unchecked: Self.schema)) }
      try SyncSchema.add(
        [SyncedTable("book")], toScope: "shelf", account: "ada", in: database)
      let library = CapturingLibrary(opening: database)
      try library.settle()

      try SQLiteShell.run(
        """
        INSERT OR REPLACE INTO book(id, title) VALUES ('b1', 'uno'), ('b3', 'tre');
        DELETE FROM book WHERE id = 'b2'; BEGIN; DELETE FROM book; ROLLBACK
        """, on: url)

      #expect(
        try library.changeList() == ["update book b1", "insert book b3", "delete book b2"])
    }
  }

  // MARK: Triggers of the application

  @Test(arguments: [true, false])
  func `the stored original of a changed row contains no changes by user triggers`(isOlder: Bool)
    throws
  {
    let triggers = """
      CREATE TRIGGER count_updates AFTER UPDATE OF title ON book BEGIN
        UPDATE book SET updates = updates + 1 WHERE id = NEW.id; END;
      CREATE TRIGGER number AFTER INSERT ON book BEGIN
        UPDATE book SET updates = 100 WHERE id = NEW.id; END;
      CREATE TRIGGER mark BEFORE DELETE ON book BEGIN
        UPDATE book SET updates = -1 WHERE id = OLD.id; END;
      """
    let library = try Self.library(isOlder ? triggers : "")
    if !isOlder { try library.run(triggers) }

    try library.run("UPDATE book SET title = 'uno' WHERE id = 'b1'")
    try library.run("DELETE FROM book WHERE id = 'b2'")
    try library.run("INSERT INTO book(id, title) VALUES ('b2', 'new'), ('b3', 'three')")

    #expect(
      try library.changeList()
        == ["update book b1", "delete book b2", "insert book b2", "insert book b3"])
    #expect(
      try library.texts("SELECT c0 || c2 FROM sync_shadow_1 WHERE exists_ ORDER BY 1")
        == ["one0", "two0"])
  }

  @Test
  func `replacing a row that a user trigger has inserted again is captured as one operation`()
    throws
  {
    let library = try Self.library()
    try library.run(
      """
      CREATE TRIGGER again AFTER DELETE ON book BEGIN
        INSERT INTO book(id, title) VALUES (OLD.id, 'again');
      END;
      """)
    try library.run("DELETE FROM book WHERE id = 'b1'")
    try library.run(
      """
      UPDATE sync_to_sync SET state = 'ready', kind = 'update';
      UPDATE sync_shadow_1 SET pending = NULL;
      """)

    try library.run("UPDATE book SET title = 'new' WHERE id = 'b1'")
    try library.run("INSERT OR REPLACE INTO book(id, title) VALUES ('b1', 'newer')")

    #expect(
      try library.texts("SELECT state FROM sync_to_sync ORDER BY local_id") == ["ready", "pending"])
    #expect(try library.integer("SELECT count(*) FROM sync_image_1") == 0)
  }

  @Test func `a change that a user trigger prevents is not captured`()
    throws
  {
    let library = try Self.library(
      """
      CREATE TRIGGER keep BEFORE DELETE ON book BEGIN SELECT RAISE(IGNORE); END;
      CREATE TRIGGER freeze BEFORE UPDATE ON book BEGIN SELECT RAISE(IGNORE); END;
      """)

    try library.run("DELETE FROM book WHERE id = 'b1'")
    try library.run("UPDATE book SET title = 'x' WHERE id = 'b2'")

    #expect(try library.changeList() == [])
    #expect(try library.integer("SELECT count(*) FROM sync_record WHERE isDeleted") == 0)
  }

  // MARK: Writing by synchronisation

  @Test func `while a pulled row is applied, user triggers change no other synchronised row`()
    throws
  {
    let library = try Self.library(
      """
      CREATE TABLE diary(text);
      CREATE TRIGGER copy AFTER UPDATE OF title ON book WHEN NEW.id = 'b1' BEGIN
        UPDATE book SET title = NEW.title WHERE id = 'b2';
        INSERT INTO book(id) VALUES ('b9');
        DELETE FROM book WHERE id = 'b2';
        INSERT INTO diary VALUES (NEW.title);
      END;
      """)

    try library.run(
      """
      UPDATE sync_clock SET applying = (SELECT record_id FROM sync_record WHERE primary_key = 'b1');
      UPDATE book SET title = 'uno' WHERE id = 'b1';
      UPDATE sync_clock SET applying = 0;
      """)

    #expect(try library.texts("SELECT id || title FROM book ORDER BY 1") == ["b1uno", "b2two"])
    #expect(try library.texts("SELECT text FROM diary") == ["uno"])
    #expect(try library.integer("SELECT count(*) FROM sync_to_sync") == 0)
  }

  @Test
  func `while the replica applies a pulled row, no statement can insert or delete another row`()
    throws
  {
    let library = try Self.library()

    try library.run(
      """
      INSERT INTO sync_record(record_id, table_id, primary_key) VALUES (77, 1, 'b7');
      UPDATE sync_clock SET applying = 77;
      INSERT INTO book(id, title) VALUES ('b7', 'seven'), ('b8', 'eight');
      UPDATE sync_clock SET applying = (SELECT record_id FROM sync_record WHERE primary_key = 'b1');
      DELETE FROM book;
      UPDATE sync_clock SET applying = 0;
      """)

    #expect(try library.texts("SELECT id FROM book ORDER BY 1") == ["b2", "b7"])
    #expect(try library.integer("SELECT count(*) FROM sync_to_sync") == 0)
  }

  @Test func `while capturing is paused, the capture triggers neither capture nor prevent writes`()
    throws
  {
    let library = try Self.library()

    try library.run(
      """
      UPDATE sync_clock SET applying = -1;
      UPDATE book SET title = 'x'; DELETE FROM book WHERE id = 'b1';
      INSERT OR REPLACE INTO book(id) VALUES ('b2'), ('b3');
      UPDATE sync_clock SET applying = 0;
      """)

    #expect(try library.texts("SELECT id FROM book ORDER BY 1") == ["b2", "b3"])
    #expect(try library.integer("SELECT count(*) FROM sync_to_sync") == 0)
  }

  // MARK: Groups and counters

  @Test func `changes of a row inside and outside an atomic group are separate operations`() throws
  {
    let library = try Self.library()

    try library.run("UPDATE book SET title = 'before' WHERE id = 'b1'")
    try library.run(
      """
      UPDATE sync_clock SET group_id = 'g1';
      UPDATE book SET title = 'inside' WHERE id = 'b1'; UPDATE book SET title = 'x' WHERE id = 'b2';
      UPDATE book SET title = 'inside too' WHERE id = 'b1';
      UPDATE sync_clock SET group_id = NULL;
      """)
    try library.run("UPDATE book SET title = 'after' WHERE id = 'b1'")

    #expect(
      try library.texts(
        """
        SELECT record_id || state || coalesce(group_id, '-') FROM sync_to_sync ORDER BY local_id
        """) == ["1closed-", "1closedg1", "2pendingg1", "1pending-"])
    #expect(
      try library.texts("SELECT c0 FROM sync_image_1 ORDER BY local_id") == [
        "before", "inside too",
      ])
  }

  @Test
  func `merging a change into an operation stores the operation's old id and counter values`()
    throws
  {
    let library = try Self.library()
    var identifiers: [String?] = []

    for copies in ["5", "NULL", "7", "9223372036854775807", "1"] {
      try library.run("UPDATE book SET copies = \(copies) WHERE id = 'b1'")
      identifiers.append(try library.text("SELECT hex(operation_identifier) FROM sync_to_sync"))
    }

    #expect(
      try library.texts("SELECT counters FROM sync_absorbed ORDER BY position") == [
        #"{"c1":5}"#, #"{"c1":null}"#, #"{"c1":7}"#, #"{"c1":9223372036854775807}"#,
      ])
    #expect(
      try library.texts("SELECT hex(operation_identifier) FROM sync_absorbed ORDER BY position")
        == identifiers.dropLast().compactMap(\.self))
  }

  @Test func `an operation with counters merges at most 64 later changes of its row`() throws {
    let library = try Self.library()

    for copies in 1...65 { try library.run("UPDATE book SET copies = \(100 + copies)") }
    #expect(try library.integer("SELECT count(*) FROM sync_to_sync") == 2)
    #expect(try library.integer("SELECT min(absorbed_count) FROM sync_to_sync") == 64)
    try library.run("UPDATE book SET copies = 166")

    #expect(
      try library.texts("SELECT state || absorbed_count FROM sync_to_sync ORDER BY local_id")
        == ["closed64", "closed64", "pending0", "pending0"])
    #expect(try library.texts("SELECT CAST(c1 AS TEXT) FROM sync_image_1") == ["165", "165"])
    #expect(try library.changeList().count == 4)
  }

  @Test func `without counters, any number of changes of a row are merged into one operation`()
    throws
  {
    let library = try CapturingLibrary(
      "CREATE TABLE card(id TEXT PRIMARY KEY, name TEXT); INSERT INTO card VALUES ('c1', 'Ada')",
      [SyncedTable("card")])

    for number in 0..<200 { try library.run("UPDATE card SET name = 'name \(number)'") }

    #expect(try library.texts("SELECT state || absorbed_count FROM sync_to_sync") == ["pending0"])
    #expect(try library.integer("SELECT count(*) FROM sync_absorbed") == 0)
  }

  // MARK: Clock

  @Test func `if sync_clock stores a wall-clock time, a captured change has this time`()
    throws
  {
    let library = try Self.library()

    try library.run("UPDATE sync_clock SET wall_ms = 1732000000000")
    try library.run("UPDATE sync_scope SET server_offset_ms = 500")
    try library.run("UPDATE book SET title = 'x' WHERE id = 'b1'")
    try library.run("UPDATE sync_clock SET wall_ms = 1731000000000")
    try library.run("UPDATE book SET title = 'y' WHERE id = 'b1'")

    #expect(try library.integer("SELECT timestamp FROM sync_to_sync") == 1_731_000_000_000)
    #expect(try library.integer("SELECT hlc FROM sync_to_sync") == 1_732_000_000_500 << 16 + 1)
  }

  @Test
  func `a captured operation has a later hybrid timestamp than the one stored in sync_clock`()
    throws
  {
    let library = try Self.library()

    try library.run("UPDATE sync_clock SET hlc = 9223372036854775806")
    try library.run("UPDATE book SET title = 'x'")
    try library.run("UPDATE book SET title = 'y'")

    #expect(
      try library.integer("SELECT min(hlc) FROM sync_to_sync") == 9_223_372_036_854_775_807)
  }

  @Test func `the next operation of a row has a later timestamp even if the clock is set back`()
    throws
  {
    let library = try Self.library()
    try library.run("UPDATE sync_clock SET wall_ms = 2000000000000")
    try library.run("DELETE FROM book WHERE id = 'b1'")

    try library.run("UPDATE sync_clock SET wall_ms = 1000000000000")
    try library.run("INSERT INTO book(id) VALUES ('b1')")

    #expect(
      try library.integer("SELECT max(hlc) - min(hlc) FROM sync_to_sync WHERE record_id = 1") == 1)
  }

  @Test func `captured identifiers and times come from the SQL expressions in CaptureExpressions`()
    throws
  {
    let library = try CapturingLibrary(
      Self.schema, [SyncedTable("book")],
      expressions: CaptureExpressions(milliseconds: "1234") { "zeroblob(\($0))" })

    try library.run("UPDATE book SET title = 'x' WHERE id = 'b1'")

    #expect(
      try library.text("SELECT hex(operation_identifier) || timestamp FROM sync_to_sync")
        == String(repeating: "0", count: 32) + "1234")
  }
}
