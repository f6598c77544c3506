import Foundation
import Synchronization
import UndercroftMigration
import UndercroftSQLite

/// A library whose books have their pages as text, and the step that makes numbers of them.
enum OldLibrary {
  static let old = """
    CREATE TABLE book (
      id INTEGER PRIMARY KEY, title TEXT NOT NULL, note TEXT, cover BLOB NOT NULL, pages TEXT NOT NULL,
      weight REAL NOT NULL, price REAL NOT NULL, isLent INTEGER NOT NULL)
    """
  static let new = old.replacing("pages TEXT", with: "pages INTEGER")
  static let index = "CREATE INDEX book_by_title ON book (title)"

  /// What SQLite's documentation prescribes for a change that ALTER TABLE cannot make.
  static let rebuilding = [
    new.replacing("TABLE book", with: "TABLE book_new"),
    """
    INSERT INTO book_new (id, title, note, cover, pages, weight, price, isLent)
    SELECT id, title, note, cover, CAST(pages AS INTEGER), weight, price, isLent FROM book
    """,
    "DROP TABLE book", "ALTER TABLE book_new RENAME TO book", index,
  ]

  static let first = MigrationStep("1", up: SQL(unchecked: "\(old);\n\(index);"))

  /// Makes the migrator whose second step is given.
  static func migrator(_ step: MigrationStep) -> Migrator {
    Migrator([first, step], schema: SQL(unchecked: "\(new);\n\(index);"))
  }

  /// Makes a file of the first version with as many books.
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

/// When things happened.
final class Marks: Sendable {
  private let marks = Mutex<[String: ContinuousClock.Instant]>([:])

  func set(_ name: String) { marks.withLock { $0[name] = .now } }

  /// Milliseconds from one mark to another.
  func milliseconds(from start: String, to end: String) throws -> Double {
    let (start, end) = marks.withLock { ($0[start], $0[end]) }
    guard let start, let end else { throw BenchmarkFailure("a mark is missing") }
    return (end - start) / .milliseconds(1)
  }
}
