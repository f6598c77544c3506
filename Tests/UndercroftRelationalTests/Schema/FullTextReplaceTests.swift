import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

/// A book on a shelf with several unique constraints.
private struct ShelvedBook: TableRecord, Equatable {
  var id: Int64?
  var title: String
  var note: String?
  var isbn: String
  var shelf: Int
  var place: Int

  // Some column names are also used by the log of replaced rows.
  static let plain = Table(
    "edition", ShelvedBook.init, Column("number", \.id).primaryKey(), Column("title", \.title),
    Column("text0", \.note), Column("isbn", \.isbn).collated("NOCASE").unique(),
    Column("shelf", \.shelf), Column("place", \.place)
  ).unique(\.shelf, \.place)

  static let table = plain.fullText(\.title, \.note)

  static let shelf = [
    ShelvedBook(title: "Emma", note: "classic", isbn: "a", shelf: 1, place: 1),
    ShelvedBook(title: "Dune", note: "desert", isbn: "b", shelf: 1, place: 2),
    ShelvedBook(title: "Ulysses", note: nil, isbn: "c", shelf: 2, place: 1),
  ]
}

/// Tests of `REPLACE`, which deletes rows without firing delete triggers unless
/// `recursive_triggers` is on.
@Suite struct FullTextReplaceTests {
  enum Writer: CaseIterable { case own, ownWithRecursiveTriggers, shell }

  private static let statements = [
    // Conflicts on the key, on one unique column, on two, and on several constraints.
    "REPLACE INTO edition VALUES (1, 'Solaris', 'ocean', 'x', 9, 9)",
    "INSERT OR REPLACE INTO edition VALUES (9, 'Solaris', 'ocean', 'B', 9, 9)",
    "INSERT OR REPLACE INTO edition VALUES (9, 'Solaris', 'ocean', 'x', 2, 1)",
    "INSERT OR REPLACE INTO edition VALUES (2, 'Solaris', NULL, 'a', 2, 1)",
    "REPLACE INTO edition(title, isbn, shelf, place) VALUES ('Solaris', 'C', 1, 1)",
    "REPLACE INTO edition SELECT number + 1, title || ' again', text0, isbn, shelf, place FROM edition",
    "UPDATE OR REPLACE edition SET isbn = 'B' WHERE number = 1",
    "UPDATE OR REPLACE edition SET number = 3 WHERE number = 1",
    "UPDATE OR REPLACE edition SET rowid = 3, title = 'Solaris' WHERE number = 1",
    "UPDATE OR REPLACE edition SET shelf = 1, place = 1, text0 = 'new'",
    // Statements that replace no row.
    "REPLACE INTO edition VALUES (9, 'Solaris', 'ocean', 'x', 9, 9)",
    """
    INSERT OR IGNORE INTO edition VALUES (1, 'Solaris', 'ocean', 'x', 9, 9);
    UPDATE edition SET title = 'Emma again' WHERE number = 1;
    DELETE FROM edition WHERE number = 1
    """,
    """
    INSERT INTO edition VALUES (1, 'Solaris', 'ocean', 'x', 9, 9)
    ON CONFLICT(number) DO UPDATE SET title = excluded.title
    """,
  ]

  private func open(_ url: URL, _ writer: Writer = .own) throws -> Database {
    try Database(
      at: url,
      DatabaseOptions(setUp: { db in
        if writer == .ownWithRecursiveTriggers { try db.execute("PRAGMA recursive_triggers = ON") }
      }))
  }

  private func run(_ sql: String, on database: Database, at url: URL, _ writer: Writer) throws {
    if writer == .shell {
      try SQLiteShell.run(sql, on: url)
    } else {
      try database.write { db in try db.executeScript(SQL(unchecked: sql)) }
    }
  }

  /// Compares the full-text index with the rows, by FTS5's integrity check and by searching each
  /// word.
  private func expectSound(_ database: Database, _ comment: String) throws {
    try database.write { db in
      try db.execute(
        "INSERT INTO edition_search(edition_search, rank) VALUES ('integrity-check', 1)")
    }
    try database.read { db in
      let editions = try ShelvedBook.fetchAll(in: db)
      for word in [
        "emma", "dune", "ulysses", "solaris", "classic", "desert", "ocean", "again", "new",
      ] {
        let expected = editions.filter {
          "\($0.title) \($0.note ?? "")".lowercased().split(separator: " ").contains { $0 == word }
        }
        let found = try ShelvedBook.search(matching: word).order { $0.id }.fetchAll(in: db)
        #expect(found == expected, "\(word) after \(comment)")
      }
    }
  }

  @Test(.heavy, arguments: Writer.allCases)
  func `the full-text index stays consistent if any connection or program runs REPLACE`(
    writer: Writer
  ) throws {
    for statement in Self.statements {
      try withTemporaryDirectory { directory in
        let url = directory.appending(path: "library.sqlite")
        let database = try open(url, writer)
        try database.write { db in
          try ShelvedBook.table.insertAll(ShelvedBook.shelf, in: db)
        }

        try run(statement, on: database, at: url, writer)

        try expectSound(database, statement)
        // Rows logged for a replacement must be deleted when they are no longer needed.
        let log: SQL = "SELECT count(*) FROM \(identifier: "undercroft.edition_search.replaced")"
        try run("DELETE FROM edition", on: database, at: url, .shell)
        #expect(
          try database.read { db in try db.fetchValue(log, as: Int.self) } == 0, "\(statement)")
      }
    }
  }

  @Test
  func `preparing a table updates its full-text triggers after SQL created a unique index`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let database = try open(url)
      try database.write { db in
        try ShelvedBook.table.insertAll(ShelvedBook.shelf, in: db)
        try db.execute("CREATE UNIQUE INDEX by_hand ON edition(title COLLATE NOCASE)")
        try ShelvedBook.table.prepare(in: db)
      }

      try SQLiteShell.run(
        "REPLACE INTO edition VALUES (9, 'EMMA', 'ocean', 'x', 9, 9)", on: url)

      try expectSound(database, "REPLACE")
      #expect(try database.read { db in try ShelvedBook.fetchCount(in: db) } == 3)
    }
  }

  @Test
  func `the full-text index of an earlier Undercroft release can be searched and repaired`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try open(url).write { db in
        try ShelvedBook.plain.insertAll(ShelvedBook.shelf, in: db)
      }
      try SQLiteShell.run(
        """
        CREATE VIRTUAL TABLE "edition_search" USING fts5("title", "text0", content='edition', \
        content_rowid='number', tokenize='unicode61 remove_diacritics 2');
        INSERT INTO edition_search(edition_search) VALUES ('rebuild');
        CREATE TRIGGER "undercroft.edition_search.insert" AFTER INSERT ON "edition" BEGIN \
        INSERT INTO "edition_search"(rowid, "title", "text0") \
        VALUES (new."number", new."title", new."text0"); END;
        CREATE TRIGGER "undercroft.edition_search.delete" AFTER DELETE ON "edition" BEGIN \
        INSERT INTO "edition_search"("edition_search", rowid, "title", "text0") \
        VALUES ('delete', old."number", old."title", old."text0"); END;
        CREATE TRIGGER "undercroft.edition_search.update" AFTER UPDATE ON "edition" WHEN \
        old."number" IS NOT new."number" COLLATE BINARY OR old."title" IS NOT new."title" COLLATE BINARY \
        OR old."text0" IS NOT new."text0" COLLATE BINARY BEGIN \
        INSERT INTO "edition_search"("edition_search", rowid, "title", "text0") \
        VALUES ('delete', old."number", old."title", old."text0"); \
        INSERT INTO "edition_search"(rowid, "title", "text0") \
        VALUES (new."number", new."title", new."text0"); END;
        """, on: url)
      let database = try open(url)

      let found = try database.read { db in
        try ShelvedBook.search(matching: "dune").fetchAll(in: db)
      }
      #expect(found.map(\.title) == ["Dune"])

      try SQLiteShell.run("REPLACE INTO edition VALUES (1, 'Solaris', NULL, 'x', 9, 9)", on: url)

      try database.write { db in try ShelvedBook.table.prepare(in: db) }

      try expectSound(database, "preparing")
      try SQLiteShell.run("REPLACE INTO edition VALUES (2, 'Emma', NULL, 'y', 9, 9)", on: url)
      try expectSound(database, "REPLACE")
    }
  }

  @Test func `preparing an unchanged full-text table does not change the schema`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      func schemaVersion() throws -> Int {
        try open(url).write { db in
          try ShelvedBook.table.prepare(in: db)
          return try db.fetchValue("PRAGMA schema_version", as: Int.self)
        }
      }

      let (first, second) = (try schemaVersion(), try schemaVersion())

      #expect(first == second)
    }
  }

  @Test
  func `a user's UPDATE trigger that updates its own full-text indexed table fires only once`()
    throws
  {
    let database = try Database.inMemory()
    try database.write { db in
      try ShelvedBook.plain.insertAll(ShelvedBook.shelf, in: db)
      try db.execute(
        """
        CREATE TRIGGER touched AFTER UPDATE ON edition BEGIN
          UPDATE edition SET place = place + 10 WHERE number = new.number;
        END
        """)

      try db.execute("UPDATE edition SET title = 'Emma' WHERE number = 1")

      let place = try ShelvedBook.plain.where { $0.id == 1 }.fetchOne(in: db)?.place
      #expect(place == 11)
    }
  }
}
