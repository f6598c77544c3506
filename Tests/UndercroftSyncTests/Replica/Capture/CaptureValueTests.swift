import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

@Suite struct CaptureValueTests {
  @Test(arguments: ["", "TEXT", "INTEGER", "REAL", "NUMERIC", "BLOB"])
  func `captured values have the same types and bytes as the values of the row`(type: String) throws
  {
    let library = try CapturingLibrary(
      "CREATE TABLE item(id INTEGER PRIMARY KEY, value \(type))", [SyncedTable("item")])
    let values = [
      "0.1 + 0.2", "1e308 * 10", "5e-324", "9223372036854775807", "-9223372036854775808", "NULL",
      "'a' || char(0) || 'b'", "CAST(x'ff00fe' AS TEXT)", "x''", "''", "zeroblob(3)", "'1.0'",
      "1.0",
      "9007199254740993", "'\u{E9}'", "'e\u{301}'",
    ]
    let rows = values.map { "(\($0))" }.joined(separator: ", ")
    try library.run("INSERT INTO item(value) VALUES \(rows)")
    try library.settle()

    try library.run("CREATE TABLE copy(id, value); INSERT INTO copy SELECT * FROM item")
    try library.run("UPDATE item SET value = 'other'")
    let differences: Int64 = try library.integer(
      """
      SELECT count(*) FROM sync_shadow_1 s JOIN sync_record r USING (record_id)
      JOIN copy ON copy.id = s.record_id
      WHERE typeof(s.c0) <> typeof(copy.value) OR s.c0 IS NOT copy.value
        OR hex(s.c0) <> hex(copy.value) OR quote(s.c0) <> quote(copy.value)
      """)

    #expect(differences == 0)
    #expect(try library.integer("SELECT count(*) FROM sync_shadow_1") == Int64(values.count))
  }

  @Test
  func `changes of tables and columns whose names contain quotes, spaces or emoji are captured`()
    throws
  {
    let names = ["order", "a\"b", "two words", "📚", "semi;colon", "it's", "[x]", "e\u{301}"]
    let tables = names.map { name in
      """
      CREATE TABLE \(name.quotedIdentifier)(
        \("key \(name)".quotedIdentifier) TEXT PRIMARY KEY, \(name.quotedIdentifier) INTEGER,
        "from" TEXT UNIQUE, "local 'x'" TEXT);
      """
    }
    let library = try CapturingLibrary(
      tables.joined(), names.map { SyncedTable($0, counters: [$0], local: ["local 'x'"]) })

    for name in names {
      let table = name.quotedIdentifier
      try library.run(
        """
        INSERT INTO \(table) VALUES ('k1', 1, 'x', 'l'), ('k2', 2, 'y', 'l');
        REPLACE INTO \(table) VALUES ('k3', 3, 'x', 'l');
        UPDATE \(table) SET \(table) = \(table) + 1, "from" = 'z' WHERE \(table) = 2;
        """)
    }

    let expected = names.flatMap { ["insert \($0) k2", "insert \($0) k3"] }
    #expect(try library.changeList() == expected)
  }

  @Test func `changes of a WITHOUT ROWID table are captured`() throws {
    let library = try CapturingLibrary(
      """
      CREATE TABLE card(number INTEGER PRIMARY KEY, name TEXT UNIQUE) STRICT, WITHOUT ROWID;
      INSERT INTO card VALUES (1, 'Ada'), (2, 'Grace'), (3, 'Mary');
      """, [SyncedTable("card")])

    try library.run("REPLACE INTO card VALUES (4, 'Ada')")
    try library.run("UPDATE card SET name = 'G' WHERE number = 2")
    try library.run("UPDATE card SET number = 30 WHERE number = 3")
    try library.run("DELETE FROM card WHERE number = 30")

    #expect(
      try library.changeList()
        == ["delete card 1", "insert card 4", "update card 2", "delete card #"])
  }

  @Test(.heavy, arguments: [0, 1, 200, 1_997])
  func `changes of a table with up to 1,998 columns are captured`(count: Int) throws {
    let columns = (0..<count).map { "column\($0)" }
    let library = try CapturingLibrary(
      """
      CREATE TABLE wide(\((["id TEXT PRIMARY KEY"] + columns).joined(separator: ", ")));
      INSERT INTO wide(id) VALUES ('w1'), ('w2');
      """, [SyncedTable("wide")])

    try library.run("INSERT INTO wide(id) VALUES ('w3')")
    if let last = columns.last { try library.run("UPDATE wide SET \(last) = 5 WHERE id = 'w1'") }
    try library.run("DELETE FROM wide WHERE id = 'w2'")

    #expect(try library.dirtyKeys() == (count == 0 ? ["w2", "w3"] : ["w1", "w2", "w3"]))
  }

  @Test func `values of generated columns are not captured`() throws {
    let library = try CapturingLibrary(
      """
      CREATE TABLE book(id TEXT PRIMARY KEY, title TEXT,
        folded TEXT GENERATED ALWAYS AS (lower(title)) VIRTUAL,
        stored TEXT GENERATED ALWAYS AS (upper(title)) STORED);
      INSERT INTO book(id, title) VALUES ('b1', 'One');
      """, [SyncedTable("book")])

    try library.run("UPDATE book SET title = 'Uno'")

    #expect(try library.table("book")?.columns.map(\.name) == ["title"])
    #expect(try library.changeList() == ["update book b1"])
  }
}
