import DifferentialChecks
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// Tests that compare the changes of random statements with the captured operations.
@Suite struct RandomCaptureTests {
  private static let schema = """
    CREATE TABLE author(id INTEGER PRIMARY KEY, name TEXT UNIQUE, born);
    CREATE TABLE book(
      id TEXT PRIMARY KEY COLLATE NOCASE, title, isbn TEXT UNIQUE, copies INTEGER, draft TEXT,
      author INTEGER REFERENCES author(id) ON DELETE SET NULL ON UPDATE CASCADE);
    CREATE UNIQUE INDEX book_title ON book(lower(title)) WHERE copies > 2;
    CREATE TABLE card(id TEXT PRIMARY KEY, name TEXT, book TEXT REFERENCES book(id)
      ON DELETE CASCADE ON UPDATE CASCADE) WITHOUT ROWID;
    """
  private static let triggers = """
    CREATE TRIGGER number AFTER INSERT ON book WHEN NEW.copies IS NULL BEGIN
      UPDATE book SET copies = 1 WHERE id = NEW.id; END;
    CREATE TRIGGER count AFTER UPDATE OF title ON book BEGIN
      UPDATE book SET copies = copies + 1 WHERE id = NEW.id; END;
    """
  private static let tables = [
    SyncedTable("author"), SyncedTable("book", counters: ["copies"], local: ["draft"]),
    SyncedTable("card"),
  ]

  @Test(.heavy, arguments: 0..<UInt64(60))
  func `the captured operations transform the server's rows into the current rows`(seed: UInt64)
    throws
  {
    let choices = Choices(seed: seed)
    let isOlder = choices.oneIn(2)
    let hasTriggers = choices.oneIn(2)
    let library = try CapturingLibrary(
      Self.schema + (hasTriggers && isOlder ? Self.triggers : ""), Self.tables,
      recursiveTriggers: choices.oneIn(2))
    if hasTriggers, !isOlder { try library.run(Self.triggers) }
    var server = try library.rowsOfRecords()

    for step in 0..<60 {
      if choices.oneIn(12) {
        try library.settle()
        server = try library.rowsOfRecords()
      }
      let statements = choices.list(atMost: 3) { Self.statement(choices) }
      let isRolledBack = choices.oneIn(8)
      _ = try? library.database.write { db in
        for statement in statements { _ = try? db.execute(SQL(unchecked: statement)) }
        if isRolledBack { throw StorageError(.interrupted, "roll back") }
      }
      try Self.check(library, server, "seed \(seed), step \(step): \(statements)")
    }
  }

  private static func check(
    _ library: CapturingLibrary, _ server: [Int64: String], _ place: String
  ) throws {
    let rows = try library.rowsOfRecords()
    let changes = try library.allChanges()
    for (record, own) in Dictionary(grouping: changes, by: \.record) {
      #expect(own.first?.before == server[record], "\(place): record \(record)")
      #expect(own.last?.after == rows[record], "\(place): record \(record)")
    }
    let touched = Set(changes.map(\.record))
    for record in Set(rows.keys).union(server.keys) where !touched.contains(record) {
      #expect(rows[record] == server[record], "\(place): record \(record)")
    }
    for table in ["author", "book", "card"] {
      let unknown: Int64 = try library.integer(
        """
        SELECT count(*) FROM \(table) AS row WHERE NOT EXISTS (
          SELECT 1 FROM sync_record JOIN sync_table t USING (table_id)
          WHERE t.name = '\(table)' AND primary_key = +row.id)
        """)
      #expect(unknown == 0, "\(place): \(table)")
    }
    for table in try library.database.read(CapturedTable.load) {
      let wrong: Int64 = try library.integer(
        """
        SELECT count(*) FROM sync_record r LEFT JOIN \(table.shadowTable) s USING (record_id)
        WHERE r.table_id = \(table.tableID) AND (
          (s.record_id IS NOT NULL) <> EXISTS (
            SELECT 1 FROM sync_to_sync o WHERE o.record_id = r.record_id)
          OR s.pending IS NOT (
            SELECT local_id FROM sync_to_sync o WHERE o.record_id = r.record_id
              AND state = 'pending'))
        """)
      let orphaned: Int64 = try library.integer(
        """
        SELECT count(*) FROM \(table.shadowTable)
        WHERE record_id NOT IN (SELECT record_id FROM sync_record)
        """)
      #expect(wrong + orphaned == 0, "\(place): \(table.name)")
    }
  }

  // MARK: Statements

  private static func statement(_ choices: Choices) -> String {
    let clause = choices.pick(["", "OR REPLACE", "OR IGNORE", "OR FAIL"])
    func key() -> String { choices.pick(["'a'", "'A'", "'b'", "'c'", "'d'"]) }
    func number() -> String { choices.pick(["NULL", "1", "2", "3", "4"]) }
    func value() -> String { choices.pick(["NULL", "'x'", "'X'", "'y'", "1", "1.0", "x'31'"]) }
    switch choices.below(12) {
    case 0: return "INSERT \(clause) INTO author VALUES (\(number()), \(value()), \(value()))"
    case 1: return "UPDATE \(clause) author SET id = \(number()), name = \(value())"
    case 2: return "UPDATE author SET born = \(value()) WHERE id > \(number())"
    case 3: return "DELETE FROM author WHERE id = \(number())"
    case 4, 5:
      return """
        INSERT \(clause) INTO book(id, title, isbn, copies, author)
        VALUES (\(key()), \(value()), \(value()), \(number()), \(number())),
          (\(key()), \(value()), \(value()), \(number()), \(number()))
        """
    case 6:
      return """
        INSERT INTO book(id, title) VALUES (\(key()), \(value()))
        ON CONFLICT(id) DO UPDATE SET title = excluded.title, id = \(key())
        """
    case 7:
      return "UPDATE \(clause) book SET isbn = \(value()), title = \(value()) WHERE id = \(key())"
    case 8:
      return "UPDATE \(clause) book SET id = \(key()), copies = \(number()) WHERE id = \(key())"
    case 9: return "DELETE FROM book" + choices.pick([" WHERE id = \(key())", ""])
    case 10: return "INSERT \(clause) INTO card VALUES (\(key()), \(value()), \(key()))"
    default: return "UPDATE \(clause) card SET id = \(key()) WHERE name IS \(value())"
    }
  }
}

extension CapturingLibrary {
  /// Returns the current rows of all synchronised tables, by the identifiers of their records.
  fileprivate func rowsOfRecords() throws -> [Int64: String] {
    try database.read { db in
      var rows: [Int64: String] = [:]
      for table in try CapturedTable.load(in: db) {
        let records = try db.fetchAll(
          "SELECT record_id FROM sync_record WHERE table_id = \(table.tableID)"
        ) { row in try row[0] as Int64 }
        for record in records { rows[record] = try currentRow(of: record, table, in: db) }
      }
      return rows
    }
  }
}
