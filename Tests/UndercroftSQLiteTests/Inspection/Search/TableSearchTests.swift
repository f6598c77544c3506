import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftInspection
import UndercroftSQLite

/// Tests of the search for a text in the pages of a database.
@Suite struct TableSearchTests {
  private static let needle = ValueFilter(BytePattern("last loan"))

  /// Creates a database with another program, and returns its tables.
  private func library(
    in directory: URL, _ sql: String
  ) throws -> (program: OtherProgram, tables: SearchedDatabase) {
    let url = directory.appending(path: "library")
    let program = try OtherProgram(url)
    try program.run(sql)
    return (program, try SearchedDatabase(at: url))
  }

  /// Rows of many sizes, of which every seventh contains the needle at its end.
  private static func filling(_ count: Int, _ size: String) -> String {
    """
    CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT, note TEXT);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
    INSERT INTO book(title, note)
    SELECT 'book ' || i, replace(hex(zeroblob(\(size))), '0', 'x') ||
      CASE WHEN i % 7 = 0 THEN 'the last loan' ELSE 'the first loan' END FROM n;
    """
  }

  @Test(arguments: [512, 1_024, 4_096, 65_536])
  func `rows are found in leaves and overflow pages of every page size`(pageSize: Int) throws {
    try withTemporaryDirectory { directory in
      let (_, tables) = try library(
        in: directory,
        "PRAGMA page_size = \(pageSize);" + Self.filling(1_500, "(i * 37) % 3000"))

      let found = try tables.found(Self.needle, in: "book")

      #expect(found.rows.count == 214)
      #expect(try found == tables.expected(Self.needle, in: "book"))
    }
  }

  // With a page of 512 bytes, a row has 508 bytes on each overflow page. The size of the note grows
  // by one byte per row, so the needle is at each distance from the end of a page.
  @Test func `rows are found if the text crosses the end of a page at any place`() throws {
    try withTemporaryDirectory { directory in
      let (_, tables) = try library(
        in: directory,
        """
        PRAGMA page_size = 512;
        CREATE TABLE book(id INTEGER PRIMARY KEY, note BLOB);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
        INSERT INTO book SELECT i, CAST(
          substr(hex(zeroblob(600)), 1, i) || 'last loan' || hex(zeroblob(400)) AS BLOB) FROM n;
        """)

      let found = try tables.found(Self.needle, in: "book")

      #expect(found.rows.count == 1_200)
      #expect(found.count == 1_200)
    }
  }

  @Test func `rows in the log are found, and rows that the log replaces are not`() throws {
    try withTemporaryDirectory { directory in
      let (program, tables) = try library(
        in: directory, "PRAGMA journal_mode = WAL;" + Self.filling(700, "i"))
      try program.run(
        """
        PRAGMA wal_checkpoint(TRUNCATE);
        UPDATE book SET note = 'returned' WHERE id % 14 = 0;
        UPDATE book SET note = hex(zeroblob(3000)) || 'last loan' WHERE id = 3;
        DELETE FROM book WHERE id = 7;
        """)

      let found = try tables.found(Self.needle, in: "book")

      #expect(found.rows.count == 50)
      #expect(found.count == 699)
      #expect(try found == tables.expected(Self.needle, in: "book"))
    }
  }

  @Test(arguments: ["UTF-8", "UTF-16le", "UTF-16be"])
  func `texts and blobs are found in every text encoding`(encoding: String) throws {
    try withTemporaryDirectory { directory in
      let (_, tables) = try library(
        in: directory,
        """
        PRAGMA encoding = '\(encoding)';
        CREATE TABLE book(id INTEGER PRIMARY KEY, note, cover BLOB);
        INSERT INTO book VALUES
          (1, 'the last loan', NULL), (2, NULL, x'6c617374206c6f616e'), (3, 'loan', x'00'),
          (4, CAST(x'6c617374206c6f616eff' AS TEXT), NULL), (5, 'ça: last loan', NULL);
        """)

      let found = try tables.found(Self.needle, in: "book")

      #expect(try found == tables.expected(Self.needle, in: "book"))
      #expect(found.rows.count >= 3)
    }
  }

  @Test(arguments: ["42", "2", "1.5", "last", "-", "e", "LAST"])
  func `numbers are found as the text that is shown`(text: String) throws {
    try withTemporaryDirectory { directory in
      let (_, tables) = try library(
        in: directory,
        """
        CREATE TABLE loan(id INTEGER PRIMARY KEY, pages INTEGER, price REAL, note TEXT);
        INSERT INTO loan VALUES (1, 42, 1.5, 'first'), (2, -7, 1e300, 'last'), (142, 0, 2, 'x');
        """)

      for ignoresCase in [false, true] {
        let filter = ValueFilter(BytePattern(text, ignoresCase: ignoresCase))

        let found = try tables.found(filter, in: "loan")

        #expect(try found == tables.expected(filter, in: "loan"))
      }
    }
  }

  @Test(
    arguments: [
      "'the last loan'", "'it''s the last loan'", "x'6c617374206c6f616e'", "\"last loan\"", "'l'",
      "`last loan`", "NULL",
    ])
  func `the default value of an added column is found in the rows that do not store it`(
    literal: String
  ) throws {
    try withTemporaryDirectory { directory in
      let (_, tables) = try library(
        in: directory,
        """
        CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT);
        INSERT INTO book(title) VALUES ('Emma'), ('the last loan'), ('Dune');
        ALTER TABLE book ADD COLUMN state DEFAULT \(literal);
        INSERT INTO book(title, state) VALUES ('Ulysses', 'returned');
        """)

      let found = try tables.found(Self.needle, in: "book")

      #expect(try found == tables.expected(Self.needle, in: "book"))
    }
  }

  @Test(
    arguments: [
      "t(a TEXT, b TEXT GENERATED ALWAYS AS ('last ' || a) VIRTUAL)",
      "t(a TEXT, b TEXT GENERATED ALWAYS AS ('last ' || a) STORED)",
      "t(a TEXT PRIMARY KEY) WITHOUT ROWID", "t(a TEXT PRIMARY KEY, b, c)", "t(a TEXT)",
      "t(a TEXT PRIMARY KEY)",
      "t(a TEXT, rowid, oid INTEGER PRIMARY KEY)", "t(a TEXT, rowid, oid, _rowid_)",
      "t(id INTEGER PRIMARY KEY DESC, a TEXT)", "t(a TEXT UNIQUE)",
    ])
  func `rows of tables of all kinds are found in the order in which they are read`(
    definition: String
  ) throws {
    try withTemporaryDirectory { directory in
      let (_, tables) = try library(
        in: directory,
        """
        CREATE TABLE \(definition);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
        INSERT INTO t(a) SELECT (i * 7919 % 1000) || iif(i % 5, ' loan', 'the last loan') FROM n;
        """)

      let found = try tables.found(Self.needle, in: "t")

      #expect(found.rows.count >= 80)
      #expect(try found == tables.expected(Self.needle, in: "t"))
    }
  }

  @Test func `rows of a virtual table are found`() throws {
    try withTemporaryDirectory { directory in
      let (_, tables) = try library(
        in: directory,
        """
        CREATE VIRTUAL TABLE book USING fts5(title, note);
        INSERT INTO book VALUES ('Emma', 'the last loan'), ('Dune', 'loan'), ('last loan', '');
        """)

      let found = try tables.found(Self.needle, in: "book")

      #expect(found.rows.count == 2)
      #expect(try found == tables.expected(Self.needle, in: "book"))
    }
  }

  @Test(arguments: ["DELETE", "WAL"])
  func `rows are found while the database is locked for reading`(journalMode: String) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      let program = try OtherProgram(url)
      try program.run("PRAGMA journal_mode = \(journalMode);" + Self.filling(300, "i"))
      let tables = try SearchedDatabase(at: url, isLocked: true)

      let found = try tables.found(Self.needle, in: "book")

      #expect(found.rows.count == 42)
      #expect(try found == tables.expected(Self.needle, in: "book"))
      withExtendedLifetime(program) {}
    }
  }

  @Test(arguments: ["DELETE", "PERSIST", "WAL"])
  func `rows are found in a database with an exclusive lock`(journalMode: String) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      let program = try OtherProgram(url)
      try program.run(
        "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = \(journalMode);"
          + Self.filling(300, "i"))
      let tables = try SearchedDatabase(at: url)

      let found = try tables.found(Self.needle, in: "book")

      #expect(found.rows.count == 42)
      #expect(try found == tables.expected(Self.needle, in: "book"))
      withExtendedLifetime(program) {}
    }
  }

  // Each cover begins at another distance from the end of an overflow page of 508 bytes.
  @Test(arguments: [true, false])
  func `rows with gzip data are found at any place if the filter includes such data`(
    includesGzipData: Bool
  ) throws {
    try withTemporaryDirectory { directory in
      let (_, tables) = try library(
        in: directory,
        """
        PRAGMA page_size = 512;
        CREATE TABLE book(id INTEGER PRIMARY KEY, note BLOB, cover BLOB);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1100)
        INSERT INTO book SELECT i, zeroblob(i), CASE i % 3
          WHEN 0 THEN CAST(x'1f8b08' || zeroblob(600) AS BLOB) WHEN 1 THEN x'001f8b08' END FROM n;
        INSERT INTO book VALUES (1101, CAST(x'1f8b08' AS TEXT), NULL), (1102, 'last loan', NULL);
        """)
      let filter = ValueFilter(BytePattern("last loan"), includesGzipData: includesGzipData)

      let found = try tables.found(filter, in: "book")

      #expect(found.rows.count == (includesGzipData ? 368 : 1))
      #expect(try found == tables.expected(filter, in: "book"))
    }
  }

  @Test(arguments: [1, 255, 256, 257, 600])
  func `a text of any length is found`(length: Int) throws {
    try withTemporaryDirectory { directory in
      let text = String(repeating: "shelf ", count: 100).suffix(length)
      let (_, tables) = try library(
        in: directory,
        """
        PRAGMA page_size = 512;
        CREATE TABLE book(id INTEGER PRIMARY KEY, note BLOB);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
        INSERT INTO book SELECT i, zeroblob(i) || CASE i % 2 WHEN 0 THEN '\(text)' END FROM n;
        """)
      let filter = ValueFilter(BytePattern(String(text)))

      let found = try tables.found(filter, in: "book")

      #expect(found.rows.count == 300)
      #expect(try found == tables.expected(filter, in: "book"))
    }
  }

  @Test func `rows with negative and very large rowids are found`() throws {
    try withTemporaryDirectory { directory in
      let (_, tables) = try library(
        in: directory,
        """
        CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT);
        INSERT INTO book VALUES (-9223372036854775808, 'last loan'), (-3, 'last loan'), (0, 'x'),
          (9223372036854775807, 'last loan');
        """)

      let found = try tables.found(Self.needle, in: "book")

      #expect(found.rows.keys.sorted() == [0, 1, 3])
    }
  }

  @Test func `a search ends when no more rows are needed`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      let program = try OtherProgram(url)
      try program.run(Self.filling(60_000, "200"))
      let store = try #require(
        try StoreInspectorFactory.sqlite.open(url, .init()) as? any SearchableTables)
      var (rowCount, skippedCount) = (0, 0)

      try store.forEachRow(of: "book", matching: Self.needle, columns: { _ in }) { step in
        switch step {
        case .skipped(let rows, _): skippedCount += rows
        case .row: rowCount += 1
        }
        return rowCount < 3
      }

      #expect(rowCount == 3)
      #expect(skippedCount == 18)
    }
  }

  @Test func `a search in a missing table throws the code invalidKey`() throws {
    try withTemporaryDirectory { directory in
      let (_, tables) = try library(in: directory, "CREATE TABLE book(title)")

      let error = #expect(throws: StorageError.self) {
        try tables.found(Self.needle, in: "reader")
      }

      #expect(error?.code == .invalidKey)
    }
  }
}
