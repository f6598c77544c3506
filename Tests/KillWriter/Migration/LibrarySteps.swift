import Foundation
import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

/// The migration steps of a library's database with six versions.
///
/// The steps add columns, move data, recreate tables, run in slices, and change foreign keys. Each
/// step writes its start to a log outside the database, and reports each of its parts while its
/// transaction is open.
struct LibrarySteps: Sendable {
  /// The newest version.
  static let newest = "6"
  static let versions = ["1", "2", "3", "4", "5", "6"]

  /// A closure that is called several times within a step, with a description of the current
  /// moment.
  var moment: @Sendable (String) -> Void = { _ in }
  /// A closure that is called for each run of a step or slice, whether it is committed or not.
  var note: @Sendable (String) -> Void = { _ in }
  /// The version whose step fails after it has done all its work.
  var failing: String?
  /// Whether the step to version 5 runs without slices.
  var isUncut = false
  /// Whether the migrator has a schema, so that no step runs on a new database.
  var hasSchema = true

  /// Returns the steps up to a version.
  func steps(upTo last: String = newest) -> [MigrationStep] {
    let all = [
      step("1"), step("2"), step("3"), step("4"), blurbs(), step("6"),
    ]
    return Array(all.prefix { $0.version <= last })
  }

  /// Returns the parts of a step, in their order.
  static func parts(of version: String) -> [SQL] {
    switch version {
    case "1": [first]
    case "2": columns
    case "3": authors
    case "4": readers
    case "5": [blurbTable, allBlurbs, dropBlurbs]
    default: loans
    }
  }

  private func step(_ version: String, _ parts: [SQL]? = nil) -> MigrationStep {
    let parts = parts ?? Self.parts(of: version)
    return MigrationStep(version) { db in
      note(version)
      for (number, part) in parts.enumerated() {
        try db.executeScript(part)
        moment("amid the step to \(version), part \(number + 1) of \(parts.count)")
      }
      if version != "1" { try db.execute("INSERT INTO journal (line) VALUES (\(version))") }
      if version == failing { throw StepFailure() }
    }
  }

  /// Returns the step that moves the descriptions of the books to a separate table, an eighth of
  /// them in each slice.
  private func blurbs() -> MigrationStep {
    if isUncut { return step("5") }
    return step("5", [Self.dropBlurbs]).slices { db, done in
      if done == nil { try db.executeScript(Self.blurbTable) }
      var last: Int64 = 0
      if case .integer(let id)? = done { last = id }
      let newest = try db.fetchValue("SELECT coalesce(max(id), 0) FROM book", as: Int64.self)
      guard last < newest else { return .done }
      let end = min(newest, last + newest / 8 + 1)
      note("5 after \(last)")
      try db.execute(
        "INSERT INTO blurb SELECT id, blurb FROM book WHERE id > \(last) AND id <= \(end)")
      moment("amid a slice")
      try db.execute("INSERT INTO journal (line) VALUES (\("5 after \(last)"))")
      return .next(.integer(end), fraction: Double(end) / Double(newest))
    }
  }
}

/// The error of a step that fails by design.
struct StepFailure: Error {}

extension LibrarySteps {
  private static let first: SQL = """
    CREATE TABLE reader (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, author TEXT NOT NULL, blurb TEXT);
    CREATE TABLE loan (id INTEGER PRIMARY KEY, book INTEGER NOT NULL REFERENCES book (id),
      reader INTEGER NOT NULL REFERENCES reader (id), day TEXT NOT NULL);
    CREATE INDEX loan_by_book ON loan (book);
    CREATE TABLE journal (id INTEGER PRIMARY KEY, line TEXT NOT NULL);
    """

  private static let columns: [SQL] = [
    "ALTER TABLE book ADD COLUMN isbn TEXT",
    "UPDATE book SET isbn = printf('978-%09d', id)",
    "ALTER TABLE loan RENAME COLUMN day TO due",
  ]

  private static let authors: [SQL] = [
    """
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    INSERT INTO author (name) SELECT DISTINCT author FROM book ORDER BY author;
    """,
    """
    ALTER TABLE book ADD COLUMN author_id INTEGER REFERENCES author (id);
    UPDATE book SET author_id = (SELECT id FROM author WHERE name = book.author);
    """,
    "ALTER TABLE book DROP COLUMN author",
  ]

  /// The statements of a step that recreates a table to which loans refer.
  private static let readers: [SQL] = [
    """
    CREATE TABLE reader_new (id INTEGER PRIMARY KEY, name TEXT NOT NULL CHECK (length(name) > 0));
    INSERT INTO reader_new SELECT id, name FROM reader;
    """,
    "DROP TABLE reader",
    "ALTER TABLE reader_new RENAME TO reader",
    "CREATE UNIQUE INDEX reader_by_name ON reader (name)",
  ]

  static let blurbTable: SQL =
    "CREATE TABLE blurb (book INTEGER PRIMARY KEY REFERENCES book (id) ON DELETE CASCADE, text TEXT)"
  private static let allBlurbs: SQL = "INSERT INTO blurb SELECT id, blurb FROM book"
  private static let dropBlurbs: SQL = "ALTER TABLE book DROP COLUMN blurb"

  private static let loans: [SQL] = [
    """
    CREATE TABLE loan_new (id INTEGER PRIMARY KEY,
      book INTEGER NOT NULL REFERENCES book (id) ON DELETE CASCADE,
      reader INTEGER NOT NULL REFERENCES reader (id) ON DELETE RESTRICT, due TEXT NOT NULL);
    INSERT INTO loan_new SELECT id, book, reader, due FROM loan;
    """,
    "DROP TABLE loan; ALTER TABLE loan_new RENAME TO loan; CREATE INDEX loan_by_book ON loan (book);",
    """
    CREATE VIEW lent AS SELECT book.id, title FROM book JOIN loan ON loan.book = book.id;
    CREATE TRIGGER forget_book AFTER DELETE ON book BEGIN DELETE FROM blurb WHERE book = old.id; END;
    """,
  ]

  /// The newest schema, frozen.
  static let schema: SQL = """
    CREATE TABLE reader (id INTEGER PRIMARY KEY, name TEXT NOT NULL CHECK (length(name) > 0));
    CREATE UNIQUE INDEX reader_by_name ON reader (name);
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, isbn TEXT,
      author_id INTEGER REFERENCES author (id));
    CREATE TABLE blurb (book INTEGER PRIMARY KEY REFERENCES book (id) ON DELETE CASCADE, text TEXT);
    CREATE TABLE loan (id INTEGER PRIMARY KEY,
      book INTEGER NOT NULL REFERENCES book (id) ON DELETE CASCADE,
      reader INTEGER NOT NULL REFERENCES reader (id) ON DELETE RESTRICT, due TEXT NOT NULL);
    CREATE INDEX loan_by_book ON loan (book);
    CREATE TABLE journal (id INTEGER PRIMARY KEY, line TEXT NOT NULL);
    CREATE VIEW lent AS SELECT book.id, title FROM book JOIN loan ON loan.book = book.id;
    CREATE TRIGGER forget_book AFTER DELETE ON book BEGIN DELETE FROM blurb WHERE book = old.id; END;
    """

  /// The migrator with these steps.
  var migrator: Migrator { Migrator(steps(), schema: hasSchema ? Self.schema : nil) }
}
