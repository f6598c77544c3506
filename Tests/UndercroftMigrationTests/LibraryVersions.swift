import Foundation
import TestSupport
import UndercroftMigration
import UndercroftSQLite

/// Six versions of a lending library's database.
///
/// Only the fifth has no down step.
enum LibraryVersions {
  static let steps = [
    MigrationStep(
      "1",
      up: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, author TEXT NOT NULL)"),
    MigrationStep("2", up: "ALTER TABLE book ADD COLUMN isbn TEXT")
      .down("ALTER TABLE book DROP COLUMN isbn"),
    MigrationStep(
      "3",
      up: """
        CREATE TABLE reader (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE loan (id INTEGER PRIMARY KEY, book INTEGER NOT NULL REFERENCES book (id) ON DELETE CASCADE,
          reader INTEGER NOT NULL REFERENCES reader (id));
        CREATE INDEX loan_by_book ON loan (book);
        """
    ).down("DROP TABLE loan; DROP TABLE reader;"),
    MigrationStep(
      "4",
      up: """
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        INSERT INTO author (name) SELECT DISTINCT author FROM book ORDER BY author;
        ALTER TABLE book ADD COLUMN author_id INTEGER REFERENCES author (id);
        UPDATE book SET author_id = (SELECT id FROM author WHERE name = book.author);
        ALTER TABLE book DROP COLUMN author;
        """
    ).down { db in
      // Recreates the table, because `ALTER TABLE` would add the column `author` at the end.
      try db.executeScript(
        """
        CREATE TABLE book_new (id INTEGER PRIMARY KEY, title TEXT NOT NULL, author TEXT NOT NULL, isbn TEXT);
        INSERT INTO book_new SELECT book.id, title, name, isbn FROM book JOIN author ON author.id = author_id;
        DROP TABLE book;
        ALTER TABLE book_new RENAME TO book;
        DROP TABLE author;
        """)
    },
    MigrationStep("5", up: "UPDATE book SET isbn = replace(isbn, '-', '') WHERE isbn IS NOT NULL"),
    MigrationStep(
      "6",
      up: "CREATE VIEW lent AS SELECT book.id, title FROM book JOIN loan ON loan.book = book.id"
    )
    .down("DROP VIEW lent"),
  ]

  static let newest: SQL = """
    CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, isbn TEXT,
      author_id INTEGER REFERENCES author (id));
    CREATE TABLE reader (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE loan (id INTEGER PRIMARY KEY, book INTEGER NOT NULL REFERENCES book (id) ON DELETE CASCADE,
      reader INTEGER NOT NULL REFERENCES reader (id));
    CREATE INDEX loan_by_book ON loan (book);
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE VIEW lent AS SELECT book.id, title FROM book JOIN loan ON loan.book = book.id;
    """

  static var migrator: Migrator { Migrator(steps, schema: newest) }

  /// Returns the migrator of an earlier version.
  ///
  /// The newest schema of this migrator is the schema that its steps create.
  static func migrator(upTo version: Int) throws -> Migrator {
    if version == steps.count { return migrator }
    let memory = try Database.inMemory()
    let schema = try memory.write { db in
      try Migrator(Array(steps.prefix(version))).build("\(version)", in: db)
      return try db.schema().compactMap(\.sql).joined(separator: ";\n")
    }
    return Migrator(Array(steps.prefix(version)), schema: SQL(unchecked: schema))
  }

  /// Creates a file of a version with two books, and a loan if the version has loans.
  static func makeFile(at url: URL, version: Int) throws {
    let database = try Database(at: url, .init(migrator: migrator(upTo: version)))
    try database.write { db in
      if version < 4 {
        try db.execute(
          "INSERT INTO book (id, title, author) VALUES (1, 'Emma', 'Austen'), (7, 'Persuasion', 'Austen')"
        )
      } else {
        try db.execute("INSERT INTO author (id, name) VALUES (1, 'Austen')")
        try db.execute(
          "INSERT INTO book (id, title, author_id) VALUES (1, 'Emma', 1), (7, 'Persuasion', 1)")
      }
      if version >= 2 { try db.execute("UPDATE book SET isbn = '0-19-953552-8' WHERE id = 1") }
      if version >= 3 {
        try db.execute("INSERT INTO reader (id, name) VALUES (3, 'Lydia')")
        try db.execute("INSERT INTO loan (id, book, reader) VALUES (9, 7, 3)")
      }
    }
    try database.close()
  }

  /// Returns the number, title and author of each book at any version.
  static func books(in database: Database, version: Int) throws -> [String] {
    let sql: SQL =
      version < 4
      ? "SELECT id, title, author FROM book ORDER BY id"
      : "SELECT book.id, title, name FROM book JOIN author ON author.id = author_id ORDER BY book.id"
    return try database.fetchAll(sql) { row in
      "\(try row[0] as Int) \(try row[1] as String) \(try row[2] as String)"
    }
  }
}

/// A collector of the events of a migration, one line for each event.
typealias MigrationLog = EventCollector<String>

extension EventCollector<String> {
  func append(_ event: MigrationEvent) {
    switch event {
    case .willMigrate(let plan): append("will migrate \(plan.from ?? "new") \(plan.to)")
    case .snapshot(let progress): if progress.remainingPages == 0 { append("snapshot") }
    case .willRun(let transition): append("will run \(transition)")
    case .progress(_, let fraction): append("progress \(fraction.map { "\($0)" } ?? "?")")
    case .checking: break
    case .didRun(let transition): append("did run \(transition)")
    case .failed(_, let fallback): append("failed, \(fallback)")
    case .ended: append("ended")
    }
  }
}

extension DatabaseOptions {
  /// Returns these options with a migrator.
  func migrating(with migrator: Migrator) -> DatabaseOptions {
    var options = self
    options.migrator = migrator
    return options
  }
}
