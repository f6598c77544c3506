import Foundation
import UndercroftMigration
import UndercroftMigrationTesting
import UndercroftSQLite

/// A migrator of a lending library with six versions, and a folder for its golden schemas.
struct LibrarySchemas: ~Copyable {
  let folder = FileManager.default.temporaryDirectory.appending(
    path: "undercroft-schemas-\(UUID().uuidString)", directoryHint: .isDirectory)

  deinit { try? FileManager.default.removeItem(at: folder) }

  static let steps = [
    MigrationStep(
      "1",
      up: """
        CREATE TABLE shelf (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE book (
          id INTEGER PRIMARY KEY, title TEXT NOT NULL, pages INTEGER CHECK (pages BETWEEN 1 AND 5000),
          shelf INTEGER NOT NULL REFERENCES shelf (id));
        CREATE INDEX book_title ON book (title);
        INSERT INTO shelf VALUES (1, 'new')
        """),
    MigrationStep("2", up: "ALTER TABLE book ADD COLUMN isbn TEXT")
      .down("ALTER TABLE book DROP COLUMN isbn"),
    MigrationStep(
      "3",
      up: """
        CREATE TABLE reader (
          id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, kind TEXT NOT NULL CHECK (kind IN ('child', 'adult')),
          friend INTEGER REFERENCES reader (id), joined_at TEXT);
        CREATE TABLE loan (
          book INTEGER NOT NULL REFERENCES book, reader INTEGER NOT NULL REFERENCES reader (id) ON DELETE CASCADE,
          day REAL, PRIMARY KEY (book, reader)) WITHOUT ROWID;
        INSERT INTO shelf (id, name) VALUES (2, 'returned')
        """
    ).down(
      "DROP TABLE loan; DROP TABLE reader; DELETE FROM shelf WHERE id = 2 AND name = 'returned'"),
    MigrationStep("4", up: "ALTER TABLE book RENAME COLUMN isbn TO code")
      .down("ALTER TABLE book RENAME COLUMN code TO isbn"),
    MigrationStep(
      "5",
      up: """
        CREATE VIRTUAL TABLE book_search USING fts5(title, content='book', content_rowid='id');
        CREATE TRIGGER book_search_insert AFTER INSERT ON book BEGIN
          INSERT INTO book_search (rowid, title) VALUES (new.id, new.title);
        END;
        INSERT INTO book_search (book_search) VALUES ('rebuild')
        """
    ).down("DROP TRIGGER book_search_insert; DROP TABLE book_search"),
    MigrationStep("6") { db in
      try db.executeScript(
        """
        CREATE TABLE new_reader (
          id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, kind TEXT NOT NULL CHECK (kind IN ('child', 'adult')),
          friend INTEGER REFERENCES reader (id), joined_at TEXT, card TEXT UNIQUE) STRICT;
        INSERT INTO new_reader SELECT id, name, kind, friend, joined_at, 'card ' || id FROM reader;
        DROP TABLE reader;
        ALTER TABLE new_reader RENAME TO reader;
        CREATE VIEW borrowed AS SELECT title, name FROM loan JOIN book ON book.id = loan.book JOIN reader ON reader.id = loan.reader
        """)
    },
  ]

  /// Returns a migrator with some steps replaced, and with the schema that its steps create.
  static func migrator(
    replacing changed: [Int: MigrationStep] = [:], count: Int = 6, schema: SQL? = nil
  ) throws -> Migrator {
    var steps = Array(steps.prefix(count))
    for (index, step) in changed { steps[index] = step }
    if let schema { return Migrator(steps, schema: schema) }
    let database = try Database.inMemory()
    let newest = steps.last?.version ?? ""
    let golden = try database.writeWithoutTransaction { db in
      try db.execute("PRAGMA foreign_keys = OFF")
      return try db.transaction { db in
        try Migrator(steps).build(newest, in: db)
        return try GoldenSchema(of: db, version: newest)
      }
    }
    return Migrator(steps, schema: golden.script)
  }

  /// Writes the correct golden schemas of the steps.
  @discardableResult
  func exported(count: Int = 6) throws -> Migrator {
    let migrator = try Self.migrator(count: count)
    try GoldenSchemas(in: folder).export(migrator)
    return migrator
  }
}
