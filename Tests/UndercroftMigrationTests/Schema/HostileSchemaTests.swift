import CSQLite
import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

/// Tests that a manipulated schema of a file is either read or reported as an error.
struct HostileSchemaTests {
  /// Creates a file and changes its schema with `PRAGMA writable_schema`.
  private func spoilt(_ script: String, _ change: String) throws -> Database {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      var raw: OpaquePointer?
      try #require(sqlite3_open(url.path, &raw) == SQLITE_OK)
      let code = sqlite3_exec(
        raw, "\(script); PRAGMA writable_schema = ON; \(change)", nil, nil, nil)
      sqlite3_close(raw)
      try #require(code == SQLITE_OK)
      return try Database.inMemory(loadedFrom: url)
    }
  }

  @Test(arguments: [
    "UPDATE sqlite_schema SET sql = 'CREATE TABLE book (id INTEGER); DROP TABLE shelf' WHERE name = 'book'",
    "UPDATE sqlite_schema SET sql = 'CREATE INDEX i ON book (id); DROP TABLE shelf' WHERE name = 'i'",
    "UPDATE sqlite_schema SET sql = 'CREATE TRIGGER t AFTER INSERT ON book BEGIN SELECT 1; END; DROP TABLE shelf' WHERE name = 't'",
    "UPDATE sqlite_schema SET sql = 'CREATE VIEW v AS SELECT 1; -- x' WHERE name = 'v'",
  ])
  func `exporting a schema throws if the stored SQL of an object contains a second statement`(
    change: String
  ) throws {
    let database = try spoilt(
      """
      CREATE TABLE book (id INTEGER); CREATE TABLE shelf (id); CREATE INDEX i ON book (id); CREATE VIEW v AS SELECT 1;
      CREATE TRIGGER t AFTER INSERT ON book BEGIN SELECT 1; END
      """, change)

    let error = #expect(throws: StorageError.self) {
      try database.read { db in _ = try GoldenSchema(of: db) }
    }
    #expect(error?.code == .corrupted)

    // The schema can still be compared.
    let schema = try database.read { db in try DatabaseSchema(of: db) }
    #expect(schema.objects.count == 5)
  }

  @Test(arguments: [
    "UPDATE sqlite_schema SET sql = 'CREATE TABLE book (' WHERE name = 'book'",
    "UPDATE sqlite_schema SET sql = 'no SQL at all' WHERE name = 'book'",
    "UPDATE sqlite_schema SET sql = CAST(x'435245415445205441424c4520ff28696429' AS TEXT) WHERE name = 'book'",
    "UPDATE sqlite_schema SET sql = NULL WHERE name = 'book'",
    "UPDATE sqlite_schema SET sql = 12.5 WHERE name = 'book'",
    "UPDATE sqlite_schema SET name = NULL WHERE name = 'book'",
    "UPDATE sqlite_schema SET type = 'other' WHERE name = 'book'",
    "UPDATE sqlite_schema SET rootpage = 77 WHERE name = 'book'",
    "INSERT INTO sqlite_schema SELECT * FROM sqlite_schema",
    "INSERT INTO sqlite_schema VALUES ('table', 'virtual', 'virtual', 0, 'CREATE VIRTUAL TABLE virtual USING nothing(a, b)')",
    "INSERT INTO sqlite_schema VALUES ('view', 'endless', 'endless', 0, 'CREATE VIEW endless AS SELECT * FROM endless')",
  ])
  func `exporting a schema with invalid stored SQL throws no error except a StorageError`(
    change: String
  ) throws {
    let outcome = Result {
      let database = try spoilt(
        "CREATE TABLE book (id INTEGER); INSERT INTO book VALUES (1)", change)
      return try database.read { db in
        let schema = try DatabaseSchema(of: db)
        _ = schema.difference(from: try DatabaseSchema(of: "CREATE TABLE book (x)")).description
        return try GoldenSchema(of: db).text
      }
    }

    switch outcome {
    case .success(let text): #expect(text.hasPrefix("-- The schema"))
    case .failure(let error): #expect(error is StorageError)
    }
  }

  @Test func `text that is not valid UTF-8 is exported as a cast of its bytes`() throws {
    let script =
      "CREATE TABLE book (title); INSERT INTO book VALUES (CAST(x'73656372657420ff' AS TEXT))"
    let database = try Database.inMemory(running: SQL(unchecked: script))

    let text = try database.read { db in try GoldenSchema(of: db).text }

    #expect(text.lowercased().contains("cast(x'73656372657420ff' as text)"))
  }

  @Test func `unbalanced delimiters in a name do not affect the comparison of schemas`() throws {
    for text in ["'", "\"", "[", "`", "/*", "--", "(", "((((", ")", "CREATE TABLE", "", "\0", "é'"]
    {
      let schema = try DatabaseSchema(of: "CREATE TABLE book (id)")
      let object = try #require(schema.objects.first)
      #expect(object.sql == "CREATE TABLE book (id)")
      let view = try Database.inMemory()
      try view.write { db in
        try db.execute(
          "CREATE VIEW shelf AS SELECT \(identifier: text.replacing("\0", with: "n")) FROM book")
      }
      let other = try view.read { db in try DatabaseSchema(of: db) }
      #expect(other.changes(toContain: schema).added.map(\.name) == ["book"])
      #expect(!other.difference(from: schema).description.contains("\0"))
    }
  }
}
