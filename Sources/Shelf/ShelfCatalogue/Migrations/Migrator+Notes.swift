public import Undercroft

extension Migrator {
  /// The migrator of the user's searches and notes, with a single version so far.
  public static var notes: Migrator {
    Migrator([MigrationStep("1", up: first)], adopting: .notes)
  }

  /// The statements of version 1: exactly the statements with which the toolkit
  /// creates the tables that ``NoteRecord`` and ``SearchRecord`` declare.
  ///
  /// If the SQL of an index differed, the toolkit would create the index again.
  private static let first: SQL = """
    CREATE TABLE "note" ("number" INTEGER PRIMARY KEY, "package" TEXT NOT NULL, \
    "text" TEXT NOT NULL, "written_at" TEXT NOT NULL);
    CREATE TABLE "search" ("number" INTEGER PRIMARY KEY, "text" TEXT NOT NULL, \
    "section" TEXT NOT NULL, "found" INTEGER NOT NULL, "asked_at" TEXT NOT NULL, \
    "turn" INTEGER NOT NULL, UNIQUE ("text", "section"));
    CREATE INDEX "undercroft.note.package" ON "note" ("package");
    CREATE INDEX "undercroft.search.turn" ON "search" ("turn");
    """
}

extension MigrationAdoption {
  /// The rule that assigns version 1 to a database
  /// that an earlier shelf created without a migrator.
  ///
  /// One of the tables `note` and `search` is sufficient,
  /// because each table was created at its first use.
  fileprivate static let notes = MigrationAdoption("the tables of an earlier shelf") { db in
    let isKnown = try db.tableExists("note") || db.tableExists("search")
    return isKnown ? "1" : nil
  }
}
