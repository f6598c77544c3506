public import UndercroftMigration
import UndercroftSQLite

extension Migrator {
  /// What brings the user's searches and notes to the tables of today: so far there has been one version.
  public static var notes: Migrator {
    Migrator([MigrationStep("1", up: first)], schema: first, adopting: .notes)
  }

  /// Letter by letter what the declared tables make, whose indexes would else be made anew.
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
  /// A table that is not there yet is made at its first use.
  fileprivate static let notes = MigrationAdoption("the tables of an earlier shelf") { db in
    let isKnown = try db.tableExists("note") || db.tableExists("search")
    return isKnown ? "1" : nil
  }
}
