import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftInspection
import UndercroftSQLite

/// Tests of the statements that queries refuse.
@Suite struct QueryAuthorizerTests {
  private func note() throws -> [QueriedStore] {
    [try QueriedLibrary.store("note", RecordingStore(texts: [("1", "late")]))]
  }

  @Test(arguments: [
    "INSERT INTO book VALUES (9, 'Middlemarch', 1871)", "UPDATE book SET title = ''",
    "DELETE FROM book", "CREATE TABLE shelf(x)", "CREATE TEMP TABLE shelf(x)", "DROP TABLE book",
    "ALTER TABLE book RENAME TO shelf", "CREATE INDEX i ON book(title)", "REINDEX", "ANALYZE",
    "VACUUM", "VACUUM INTO 'FOLDER/copy'",
    "CREATE VIRTUAL TABLE shelf USING fts5(x)", "CREATE VIEW shelf AS SELECT 1",
    "INSERT INTO book SELECT * FROM book RETURNING id", "EXPLAIN DELETE FROM book",
  ])
  func `a statement that writes is refused and changes nothing`(sql: String) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      try QueriedLibrary.fill(url)
      let before = try Data(contentsOf: url)
      let stores = [try QueriedLibrary.database("library", url)]

      let error = QueriedLibrary.error(sql.replacing("FOLDER", with: directory.path), stores)

      #expect(error?.code == .misuse)
      #expect(error?.message.contains("the statement writes, but queries only read") == true)
      #expect(try Data(contentsOf: url) == before)
      #expect(!FileManager.default.fileExists(atPath: directory.path + "/copy"))
    }
  }

  @Test(arguments: [
    "DELETE FROM note", "UPDATE note SET value = ''", "INSERT INTO note(name) VALUES ('2')",
  ])
  func `a write to a store of named values is refused`(sql: String) throws {
    let error = QueriedLibrary.error(sql, try note())

    #expect(error?.code == .misuse)
    #expect(error?.message.contains("the statement writes") == true)
  }

  @Test(arguments: ["UPDATE book SET title = 'Emma'", "DELETE FROM book"])
  func `a write to a table whose triggers use a full-text index is refused as a write`(
    sql: String
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      try SQLiteShell.run(
        """
        CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT);
        CREATE VIRTUAL TABLE book_search USING fts5(title, content='book', content_rowid='id');
        CREATE TRIGGER book_update AFTER UPDATE ON book BEGIN
          INSERT INTO book_search(rowid, title) VALUES (new.id, new.title); END;
        CREATE TRIGGER book_delete AFTER DELETE ON book BEGIN
          INSERT INTO book_search(book_search, rowid, title) VALUES ('delete', old.id, old.title);
        END;
        """, on: url)

      let error = QueriedLibrary.error(sql, [try QueriedLibrary.database("library", url)])

      #expect(error?.code == .misuse)
      #expect(error?.message.contains("the statement writes") == true)
    }
  }

  @Test(arguments: ["ATTACH 'FOLDER/other' AS other", "DETACH main"])
  func `attaching and detaching databases is refused`(sql: String) throws {
    try withTemporaryDirectory { directory in
      let error = QueriedLibrary.error(
        sql.replacing("FOLDER", with: directory.path), try note())

      #expect(error?.code == .misuse)
      #expect(error?.message.contains("TACH is not permitted") == true)
      #expect(!FileManager.default.fileExists(atPath: directory.path + "/other"))
    }
  }

  @Test(arguments: ["BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT a", "RELEASE a"])
  func `a statement that begins or ends a transaction is refused`(sql: String) throws {
    let error = QueriedLibrary.error(sql, try note())

    #expect(error?.code == .misuse)
    #expect(error?.message.contains("ends a transaction is not permitted") == true)
  }

  @Test(arguments: [
    "PRAGMA query_only = OFF", "PRAGMA writable_schema = ON", "PRAGMA journal_mode",
    "PRAGMA user_version = 3", "PRAGMA temp_store_directory = '/tmp'", "PRAGMA wal_checkpoint",
    "PRAGMA mmap_size", "SELECT * FROM pragma_journal_mode", "PRAGMA trusted_schema = ON",
  ])
  func `a pragma that is not only a read is refused`(sql: String) throws {
    let error = QueriedLibrary.error(sql, try note())

    #expect(error?.code == .misuse)
  }

  @Test func `the error of a refused pragma names the pragma`() throws {
    let error = QueriedLibrary.error("PRAGMA journal_mode", try note())

    #expect(error?.message.contains("PRAGMA journal_mode is not permitted") == true)
  }

  @Test func `a pragma that describes a table is permitted`() throws {
    let stores = try note()

    let names = try QueriedLibrary.texts("SELECT name FROM pragma_table_info('note')", stores)
    let rows = try QueriedLibrary.rows("PRAGMA table_info(note)", stores)

    #expect(names == ["name", "value", "bytes"])
    #expect(rows.count == 3)
  }

  @Test func `the integrity of a database can be checked`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      try QueriedLibrary.fill(url)

      let texts = try QueriedLibrary.texts(
        "PRAGMA integrity_check", [QueriedLibrary.database("library", url)])

      #expect(texts == ["ok"])
    }
  }

  @Test(arguments: ["load_extension('x')", "fts3_tokenizer('simple')"])
  func `a function that reaches outside of the stores is refused`(function: String) throws {
    let error = QueriedLibrary.error("SELECT \(function)", try note())

    #expect(error?.code == .misuse)
    #expect(error?.message.contains("is not permitted") == true)
  }

  @Test func `a second statement is refused, and the error shows the statement`() throws {
    let error = QueriedLibrary.error("SELECT 1; DROP TABLE book", try note())

    #expect(error?.code == .misuse)
    #expect(error?.message.contains("DROP TABLE book") == true)
  }

  @Test(arguments: ["SELECT 1;", "SELECT 1; -- the end", " ; SELECT 1 ; /* the end */ ;"])
  func `semicolons and comments around a statement are permitted`(sql: String) throws {
    let rows = try QueriedLibrary.rows(sql, note())

    #expect(rows == [[.integer(1)]])
  }

  @Test(arguments: ["", " ; ", "-- nothing"])
  func `SQL without a statement is refused`(sql: String) throws {
    let error = QueriedLibrary.error(sql, try note())

    #expect(error?.code == .misuse)
    #expect(error?.message.contains("no statement") == true)
  }

  @Test func `a statement with a placeholder is refused`() throws {
    let error = QueriedLibrary.error("SELECT * FROM note WHERE name = ?", try note())

    #expect(error?.code == .misuse)
    #expect(error?.message.contains("placeholder") == true)
  }

  @Test func `SQL with a NUL character is refused`() throws {
    let error = QueriedLibrary.error("SELECT 1\0; DROP TABLE book", try note())

    #expect(error?.code == .misuse)
    #expect(error?.message.contains("NUL") == true)
  }

  @Test func `a value that exceeds the size limit throws instead of using memory`() throws {
    let error = QueriedLibrary.error("SELECT length(zeroblob(1000000000))", try note())

    #expect(error?.code == .misuse)
  }
}
