import Foundation
import Synchronization
import UndercroftMigration
import UndercroftSQLite

/// A library database that stores page counts as text, and the step that converts them to integers.
enum OldLibrary {
  static let old = """
    CREATE TABLE book (
      id INTEGER PRIMARY KEY, title TEXT NOT NULL, note TEXT, cover BLOB NOT NULL, pages TEXT NOT NULL,
      weight REAL NOT NULL, price REAL NOT NULL, isLent INTEGER NOT NULL)
    """
  static let new = old.replacing("pages TEXT", with: "pages INTEGER")
  static let index = "CREATE INDEX book_by_title ON book (title)"

  /// The procedure of SQLite's documentation for a change that ALTER TABLE cannot make.
  static let rebuilding = [
    new.replacing("TABLE book", with: "TABLE book_new"),
    """
    INSERT INTO book_new (id, title, note, cover, pages, weight, price, isLent)
    SELECT id, title, note, cover, CAST(pages AS INTEGER), weight, price, isLent FROM book
    """,
    "DROP TABLE book", "ALTER TABLE book_new RENAME TO book", index,
  ]

  static let first = MigrationStep("1", up: SQL(unchecked: "\(old);\n\(index);"))

  /// Returns a migrator with `step` as its second step.
  static func migrator(_ step: MigrationStep) -> Migrator {
    Migrator([first, step], schema: SQL(unchecked: "\(new);\n\(index);"))
  }

  /// Creates a database of the first version with `count` books.
  static func make(at url: URL, count: Int) throws {
    let migrator = Migrator([first], schema: SQL(unchecked: "\(old);\n\(index);"))
    let database = try Database(at: url, .init(migrator: migrator))
    for first in stride(from: 1, through: count, by: 100_000) {
      try database.write { db in
        try db.execute(
          """
          WITH RECURSIVE n (i) AS (SELECT \(first) UNION ALL SELECT i + 1 FROM n WHERE i + 1 < \(first + min(100_000, count)))
          INSERT INTO book SELECT i, 'The book of the number ' || i, CASE WHEN i % 4 THEN NULL ELSE 'a note on ' || i END,
            randomblob(64), i % 900, i / 7.0, i % 100 + 0.5, i % 3 = 0 FROM n
          """)
      }
    }
    try database.close()
  }
}

/// The times of named events.
final class Marks: Sendable {
  private let marks = Mutex<[String: ContinuousClock.Instant]>([:])

  func set(_ name: String) { marks.withLock { $0[name] = .now } }

  /// Returns the milliseconds between two recorded events.
  func milliseconds(from start: String, to end: String) throws -> Double {
    let (start, end) = marks.withLock { ($0[start], $0[end]) }
    guard let start, let end else { throw BenchmarkFailure("a mark is missing") }
    return (end - start) / .milliseconds(1)
  }
}
