import Foundation

/// Databases with the settings and tables of other programs.
extension SampleStoreMaker {
  func foreignDatabases() throws -> [SampleStore] {
    try [
      database("sqlite-utf16le", ["encoding = 'UTF-16le'"]),
      database("sqlite-utf16be", ["encoding = 'UTF-16be'", "page_size = 1024"]),
      database("sqlite-pages-of-512", ["page_size = 512", "auto_vacuum = FULL"]),
      database("sqlite-pages-of-65536", ["page_size = 65536"]),
      database("sqlite-modules", ["user_version = 3"], script: Self.modules),
      database("sqlite-log-of-512", ["page_size = 512", "journal_mode = WAL"], ending: Self.log),
      database("sqlite-hot-journal", ["cache_size = 2"], ending: Self.unfinished),
      database(
        "sqlite-hot-journal-of-512", ["page_size = 512", "cache_size = 2"], ending: Self.unfinished),
    ]
  }

  /// Makes a database whose files are copied while the connection is open, as a killed process
  /// leaves them.
  private func database(
    _ name: String, _ settings: [String], script: String = "", ending: String = ""
  ) throws -> SampleStore {
    let place = try newFolder(name)
    let connection = try SQLConnection(at: place.appending(path: "store"))
    for setting in settings { try connection.run("PRAGMA \(setting)") }
    try connection.run("BEGIN; \(Self.books) \(script) COMMIT")
    try connection.run(ending)
    let files = try Self.files(in: place)
    return withExtendedLifetime(connection) { SampleStore(name: name, path: "store", files: files) }
  }

  private static let books = """
    CREATE TABLE book(
      id INTEGER PRIMARY KEY, title TEXT COLLATE NOCASE, pages INTEGER, cover BLOB,
      label TEXT AS (title || '!'));
    CREATE TABLE loan(
      reader TEXT, book INTEGER REFERENCES book, due TEXT, PRIMARY KEY(book DESC, reader))
      WITHOUT ROWID;
    CREATE INDEX book_title ON book(title, lower(title)) WHERE pages > 9;
    CREATE VIEW lent AS SELECT title FROM book JOIN loan ON loan.book = book.id;
    CREATE TRIGGER lost AFTER DELETE ON book BEGIN DELETE FROM loan WHERE book = old.id; END;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 80)
      INSERT INTO book SELECT i, 'Žít 書庫 ' || i, i, zeroblob(i * 20) FROM n;
    INSERT INTO loan SELECT 'reader ' || id, id, NULL FROM book;
    """

  private static let modules = """
    CREATE VIRTUAL TABLE page USING fts5(title, body, tokenize = 'trigram');
    CREATE VIRTUAL TABLE heading USING fts5(title, content = 'book', content_rowid = 'id');
    CREATE VIRTUAL TABLE old USING fts4(title, prefix='2');
    CREATE VIRTUAL TABLE shelf USING rtree(id, minx, maxx, miny, maxy, +note);
    INSERT INTO page SELECT title, 'handsome clever and rich' FROM book;
    INSERT INTO heading(heading) VALUES ('rebuild');
    INSERT INTO old SELECT title FROM book;
    INSERT INTO shelf SELECT id, id, id + 1, -id, id, title FROM book;
    """

  private static let log = """
    PRAGMA wal_checkpoint; UPDATE book SET pages = 1 WHERE id < 9; DELETE FROM book WHERE id > 70
    """

  /// A transaction that has spilled pages into the file, which a rollback journal restores.
  private static let unfinished = """
    BEGIN; UPDATE book SET title = 'unfinished', cover = zeroblob(900 + id)
    """
}
