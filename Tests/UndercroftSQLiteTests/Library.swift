import Foundation
import Testing
import UndercroftSQLite

/// A library with some books, on disk or in memory.
enum Library {
  static let schema: SQL = """
    CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT NOT NULL);
    CREATE TABLE loan(book INTEGER REFERENCES book(id), reader TEXT DEFAULT 'nobody');
    CREATE INDEX loan_by_book ON loan(book);
    """

  static func fill(_ database: Database, books: Int = 3) throws {
    try database.write { db in
      try db.executeScript(schema)
      try add(books, in: db)
    }
  }

  /// Returns a library in memory, whose books have columns of several types.
  static func withTypedColumns() throws -> Database {
    let database = try Database.inMemory()
    try database.write { db in
      try db.execute(
        "CREATE TABLE book(title TEXT, pages INTEGER, weight REAL, isLent INTEGER, cover BLOB)")
    }
    return database
  }

  static func add(_ books: Int, in db: Connection) throws {
    try db.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(books))
      INSERT INTO book(title) SELECT 'book ' || i || hex(zeroblob(200)) FROM n
      """)
  }

  static func count(_ database: Database) throws -> Int {
    try database.read { db in
      try db.fetchOne("SELECT count(*) FROM book") { row in try row[0] as Int } ?? -1
    }
  }

  static func names(in directory: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
  }

  static func mode(of url: URL) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
  }
}
