public import Undercroft

extension Migrator {
  /// The migrator of the user's searches and notes.
  ///
  /// - "1": notes, and the history of searches.
  /// - "2": also saved searches, which were documents before. ``Catalogue`` moves them.
  public static var notes: Migrator {
    Migrator([MigrationStep("1", up: first), MigrationStep("2", up: second)], adopting: .notes)
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

  private static let second: SQL = """
    CREATE TABLE "saved_search" ("title" TEXT PRIMARY KEY NOT NULL, "text" TEXT NOT NULL, \
    "section" TEXT NOT NULL)
    """
}

extension MigrationAdoption {
  /// The rule that assigns version 1 to a database that an
  /// earlier version of this program created without a migrator.
  ///
  /// One of the tables `note` and `search` is sufficient,
  /// because each table was created at its first use.
  fileprivate static let notes = MigrationAdoption("the tables of an earlier shelf") { db in
    let isKnown = try db.tableExists("note") || db.tableExists("search")
    return isKnown ? "1" : nil
  }
}
