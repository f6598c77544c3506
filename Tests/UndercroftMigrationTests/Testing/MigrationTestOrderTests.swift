import Foundation
import Testing
import UndercroftMigration
import UndercroftMigrationTesting
import UndercroftSQLite

/// Tests that `MigrationTest` finds steps that rely on the order of the columns of a table.
@Suite struct MigrationTestOrderTests {
  private static let first = MigrationStep(
    "1",
    up: """
      CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, shelf TEXT, isbn TEXT UNIQUE);
      CREATE TABLE loan (book INTEGER NOT NULL REFERENCES book (id), day TEXT NOT NULL,
        reader TEXT NOT NULL, label TEXT AS (reader || day), PRIMARY KEY (book, day)) WITHOUT ROWID;
      CREATE INDEX loan_by_reader ON loan (reader);
      CREATE TABLE reader (name TEXT NOT NULL, city TEXT, card TEXT, sort TEXT AS (lower(name)));
      """)

  /// Returns the problems that `MigrationTest` finds in two versions.
  private func problems(
    _ step: MigrationStep, from first: MigrationStep = first,
    _ change: (inout MigrationTest) -> Void = { _ in }
  ) throws -> [MigrationProblem] {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "undercroft-order-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let migrator = Migrator([first, step])
    try GoldenSchemas(in: folder).export(migrator)
    var test = MigrationTest(migrator, schemas: folder)
    test.exporting = .none
    change(&test)
    do {
      try test.verify(rowsPerTable: 20)
      return []
    } catch let failure as MigrationTestFailure {
      return failure.problems
    }
  }

  private static let path = "1 → 2, with the columns in another order"

  private static let newBook =
    "CREATE TABLE new_book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, shelf TEXT, isbn TEXT UNIQUE)"
  private static let replacement = "DROP TABLE book; ALTER TABLE new_book RENAME TO book"

  @Test
  func `MigrationTest reports a step that copies rows with SELECT * and without column names`()
    throws
  {
    let texts = "CREATE TABLE entry (title TEXT, shelf TEXT, isbn TEXT)"
    let book = MigrationStep("1", up: "CREATE TABLE book (title TEXT, shelf TEXT, isbn TEXT)")
    let step = MigrationStep(
      "2", up: SQL(unchecked: "\(texts); INSERT INTO entry SELECT * FROM book"))

    let found = try problems(step, from: book)

    #expect(Set(found.map(\.path)) == [Self.path])
    #expect(
      found.map(\.message).contains {
        $0.hasPrefix(
          "the result differs from that in a file with the declared order of columns: table \"entry\": "
            + "column \"title\": ")
      }, "\(found)")
    #expect(found.first?.suggestion?.contains("name the columns") == true)
  }

  @Test
  func `MigrationTest reports a step that fails unless the columns are in a particular order`()
    throws
  {
    let step = MigrationStep(
      "2",
      up: SQL(
        unchecked: "\(Self.newBook); INSERT INTO new_book SELECT * FROM book; \(Self.replacement)"))

    let found = try problems(step)

    #expect(found.map(\.path) == [Self.path])
    #expect(found.first?.message.contains("datatype mismatch") == true)
    #expect(found.first?.suggestion?.contains("name the columns") == true)
  }

  @Test func `MigrationTest reports a step that inserts values without a list of columns`() throws {
    let step = MigrationStep(
      "2",
      up: """
        INSERT INTO reader VALUES ('Ada', 'London', '17')
        """)

    let found = try problems(step) { $0.intendedChanges = ["reader"] }

    #expect(Set(found.map(\.path)) == [Self.path], "\(found)")
    #expect(
      found.contains { $0.message.contains("table \"reader\": column \"name\": 1 of 21 rows") })
  }

  @Test
  func `MigrationTest reports a step closure that reads a column by the column's position`() throws
  {
    // The position of the middle one of three columns remains if their order is reversed.
    let first = MigrationStep(
      "1", up: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, isbn TEXT)")
    let step = MigrationStep("2") { db in
      try db.execute("CREATE TABLE entry (title TEXT)")
      let titles = try db.fetchAll("SELECT * FROM book") { row in try row[1] as SQLValue }
      for title in titles { try db.execute("INSERT INTO entry (title) VALUES (\(title))") }
    }

    let found = try problems(step, from: first)

    #expect(found.map(\.path) == [Self.path], "\(found)")
    #expect(found.first?.message.contains("table \"entry\": column \"title\": ") == true)
  }

  @Test func `MigrationTest reports a down script that relies on the order of columns`() throws {
    // With the last column first, dropping that column restores the declared order.
    let first = MigrationStep("1", up: "CREATE TABLE reader (name TEXT, city TEXT, card TEXT)")
    let step = MigrationStep("2", up: "ALTER TABLE reader ADD COLUMN note TEXT").down(
      """
      CREATE TABLE old_reader AS SELECT * FROM reader;
      ALTER TABLE old_reader DROP COLUMN note;
      DROP TABLE reader;
      CREATE TABLE reader (name TEXT, city TEXT, card TEXT);
      INSERT INTO reader SELECT * FROM old_reader;
      DROP TABLE old_reader;
      """)

    let found = try problems(step, from: first)

    #expect(
      Set(found.map(\.path)) == ["1 → 2 → 1, with the columns in another order"], "\(found)")
  }

  @Test func `MigrationTest accepts steps whose SQL names the columns that it copies`() throws {
    let step = MigrationStep(
      "2",
      up: SQL(
        unchecked: """
          \(Self.newBook);
          INSERT INTO new_book (title, id, isbn, shelf) SELECT title, id, isbn, shelf FROM book;
          \(Self.replacement);
          CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
          INSERT INTO person (name) SELECT DISTINCT reader FROM loan;
          """)
    ).down("DROP TABLE person")

    #expect(try problems(step) == [])
  }

  @Test func `MigrationTest accepts steps that write random values`() throws {
    let step = MigrationStep(
      "2",
      up: """
        ALTER TABLE book ADD COLUMN code TEXT;
        UPDATE book SET code = hex(randomblob(16));
        CREATE TABLE receipt (code TEXT);
        INSERT INTO receipt (code) SELECT hex(randomblob(16)) FROM book WHERE random() % 2;
        """)

    #expect(try problems(step) == [])
  }

  @Test
  func `MigrationTest reports values in a wrong column even if another column has random values`()
    throws
  {
    let step = MigrationStep("2") { db in
      try db.executeScript(
        """
        CREATE TABLE entry (code TEXT, title TEXT);
        ALTER TABLE book ADD COLUMN code TEXT;
        """)
      let titles = try db.fetchAll("SELECT * FROM book") { row in try row[1] as SQLValue }
      for title in titles {
        try db.execute("INSERT INTO entry (code, title) VALUES (hex(randomblob(16)), \(title))")
      }
    }

    let found = try problems(step)

    #expect(found.count == 1)
    #expect(
      found.first?.message.contains("table \"entry\": column \"title\": ") == true, "\(found)")
  }

  @Test func `MigrationTest accepts a revertible step that drops a middle column`()
    throws
  {
    let step = MigrationStep("2", up: "ALTER TABLE book DROP COLUMN shelf")
      .down("ALTER TABLE book ADD COLUMN shelf TEXT")

    let found = try problems(step) { $0.intendedChanges = ["book.shelf"] }

    #expect(found == [])
  }

  @Test func `MigrationTest accepts virtual tables, triggers, views and keys of several columns`()
    throws
  {
    let first = MigrationStep(
      "1",
      up: """
        CREATE TABLE author (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, friend INTEGER
          REFERENCES author (id));
        CREATE TABLE book (code TEXT, part INTEGER, title TEXT, -- as printed
          author INTEGER REFERENCES author, sort TEXT AS (lower(title)) STORED,
          PRIMARY KEY (part, code)) STRICT;
        CREATE TABLE page (rowid TEXT, number INTEGER, text TEXT,
          FOREIGN KEY (number, rowid) REFERENCES book);
        CREATE TABLE one (only TEXT);
        CREATE VIEW titles AS SELECT * FROM book JOIN author ON author.id = book.author;
        CREATE VIRTUAL TABLE words USING fts5(name, content='author', content_rowid='id');
        CREATE TRIGGER words_insert AFTER INSERT ON author BEGIN
          INSERT INTO words (rowid, name) VALUES (new.id, new.name);
        END;
        CREATE VIRTUAL TABLE area USING rtree(id, x1, x2);
        """)
    let step = MigrationStep("2", up: "ALTER TABLE page ADD COLUMN note TEXT")
      .down("ALTER TABLE page DROP COLUMN note")

    #expect(try problems(step, from: first) == [])
  }
}
