import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

/// An in-memory database with all kinds of objects that can depend on a table.
enum LibraryFile {
  static let schema: SQL = """
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE book (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      title TEXT NOT NULL, -- as it is printed, with a comma
      isbn TEXT UNIQUE,
      pages TEXT DEFAULT '0' CHECK (book.pages <> ''),
      blurb TEXT,
      sequel INTEGER REFERENCES book(id),
      author INTEGER REFERENCES author(id),
      shown TEXT AS (upper(title)) VIRTUAL
    );
    CREATE TABLE loan (
      id INTEGER PRIMARY KEY, book INTEGER NOT NULL REFERENCES book(id) ON DELETE CASCADE);
    CREATE INDEX book_title ON book(title COLLATE NOCASE) WHERE book.pages <> '0';
    CREATE INDEX book_upper ON book(upper(title), author);
    CREATE TABLE log (entry TEXT);
    CREATE TRIGGER loan_noted AFTER INSERT ON loan BEGIN
      INSERT INTO log VALUES ((SELECT title FROM book WHERE id = new.book));
    END;
    CREATE TRIGGER book_noted AFTER UPDATE OF title ON book BEGIN
      INSERT INTO log VALUES (old.title || ' > ' || new.title);
    END;
    CREATE VIEW long_book AS SELECT id AS number, title AS name, pages AS length FROM book
      WHERE pages > 300;
    CREATE VIEW lent AS SELECT l.name AS title FROM long_book AS l
      JOIN loan ON loan.book = l.number;
    CREATE VIRTUAL TABLE words USING fts5(title, content='book', content_rowid='id', prefix=2);
    CREATE TRIGGER words_insert AFTER INSERT ON book BEGIN
      INSERT INTO words(rowid, title) VALUES (new.id, new.title);
    END;
    CREATE TRIGGER words_delete AFTER DELETE ON book BEGIN
      INSERT INTO words(words, rowid, title) VALUES ('delete', old.id, old.title);
    END;
    INSERT INTO words(words, rank) VALUES ('rank', 'bm25(10.0)');
    INSERT INTO author VALUES (1, 'Herbert'), (2, 'Le Guin');
    INSERT INTO book(id, title, isbn, pages, blurb, sequel, author) VALUES
      (3, 'Dune', '1', '412', 'Sand.', NULL, 1), (5, 'Dune Messiah', '2', '256', NULL, 3, 1),
      (8, 'Rocannon''s World', '3', '117', 'Snow.', NULL, 2), (9, 'Gone', '4', '1', NULL, NULL, 2);
    DELETE FROM book WHERE id = 9;
    INSERT INTO loan VALUES (1, 3), (2, 8);
    """

  static func open() throws -> Database {
    let database = try Database.inMemory()
    try database.write { db in try db.executeScript(schema) }
    return database
  }
}

extension Database {
  /// Runs `body` like a migration runs a step.
  @discardableResult
  func step<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try writeWithoutTransaction { db in
      try db.execute("PRAGMA foreign_keys = OFF")
      return try db.transaction { db in try body(db) }
    }
  }

  /// Returns the SQL of all objects of the schema, sorted.
  func texts() throws -> [String] {
    try read { db in try db.schema().map { "\($0.kind) \($0.name): \($0.sql ?? "")" } }.sorted()
  }

  /// Returns the rows of a query, each as one string.
  func rows(_ query: SQL) throws -> [String] {
    try read { db in
      try db.fetchAll(query) { row in
        var values: [String] = []
        for position in 0..<row.count {
          switch try row[position] as SQLValue {
          case .null: values.append("-")
          case .integer(let number): values.append("\(number)")
          case .real(let number): values.append("\(number)")
          case .text(let text): values.append(text)
          case .blob(let bytes): values.append("\(bytes.count) bytes")
          }
        }
        return values.joined(separator: "|")
      }
    }
  }

  /// Expects the database, its foreign keys and its full-text table to pass the integrity checks.
  func requireWhole(words: String? = "words") throws {
    #expect(try integrityCheck() == [])
    #expect(try foreignKeyCheck() == [])
    guard let words else { return }
    try write { db in
      try db.execute(
        "INSERT INTO \(identifier: words)(\(identifier: words), rank) VALUES ('integrity-check', 1)"
      )
    }
  }

  /// Expects that a step throws an error whose message contains these strings, and leaves the
  /// schema unchanged.
  func refuses(
    _ parts: String..., code: StorageError.Code = .misuse,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (Connection) throws -> Void
  ) throws {
    let texts = try texts()
    let error = #expect(throws: StorageError.self, sourceLocation: sourceLocation) {
      try step { db in
        // The failed tool must be rolled back even if the step continues.
        var failure: (any Error)?
        do { try body(db) } catch { failure = error }
        let left = try db.fetchValue(
          "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'undercroft_migration%'", as: Int.self
        )
        #expect(left == 0, sourceLocation: sourceLocation)
        if let failure { throw failure }
      }
    }
    #expect(error?.code == code, sourceLocation: sourceLocation)
    for part in parts {
      #expect(
        error?.message.contains(part) == true, "\(error?.message ?? "")",
        sourceLocation: sourceLocation)
    }
    #expect(try self.texts() == texts, sourceLocation: sourceLocation)
  }
}
