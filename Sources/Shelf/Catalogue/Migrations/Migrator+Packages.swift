public import UndercroftMigration
import UndercroftSQLite

extension Migrator {
  /// What brings the rows of packages to the tables of today, whichever commit of this program has made them.
  ///
  /// - "1": packages, dependencies and changelogs by names, in tables that were written in SQL.
  /// - "2": and what they were made from.
  /// - "3": the tables that are declared, with words that can be searched.
  /// - "4": without the tables of "2" that the first program with declared tables left beside its own.
  /// - "5": with words that are searched rightly after REPLACE as well.
  ///
  /// What a version has been is frozen here and in `Sources/Shelf/Schemas/Packages`.
  public static var packages: Migrator {
    Migrator(
      [
        .packagesByName, .importSource, .declaredPackages, .onlyDeclaredPackages,
        .wordsAfterReplace,
      ],
      schema: PackageSchema.current, adopting: .packages)
  }
}

extension MigrationAdoption {
  /// No commit before the first migrator has kept a version, so that files are told by their tables.
  static let packages = MigrationAdoption("the tables of an earlier shelf") { db in
    // The other tables may be there as well: they were left when these were made.
    if try db.tableExists("software") { return "3" }
    guard try db.tableExists("package") else { return nil }
    return try db.tableExists("source") ? "2" : "1"
  }
}

extension MigrationStep {
  fileprivate static let packagesByName = MigrationStep("1", up: PackageSchema.byName)

  /// Packages that are there were made from something, which no number stands for: the next import compares them one by one.
  fileprivate static let importSource = MigrationStep(
    "2",
    up: """
      \(PackageSchema.source)
      INSERT INTO source (id, fingerprint, packages)
      SELECT 1, 0, count(*) FROM package HAVING count(*) > 0;
      """
  ).down("DROP TABLE source")

  /// Nothing depends on what is dropped: it has not been read since the declared tables are there.
  fileprivate static let onlyDeclaredPackages = MigrationStep(
    "4",
    up: """
      DROP TABLE IF EXISTS package;
      DROP TABLE IF EXISTS dependency;
      DROP TABLE IF EXISTS changelog;
      DROP TABLE IF EXISTS source;
      """
  ).down("SELECT 'version 3 has the same tables'")

  /// Does what the declared table would do at its next use, which includes filling the index again.
  fileprivate static let wordsAfterReplace = MigrationStep(
    "5",
    up: """
      DROP TRIGGER IF EXISTS "undercroft.software_search.insert";
      DROP TRIGGER IF EXISTS "undercroft.software_search.delete";
      DROP TRIGGER IF EXISTS "undercroft.software_search.update";
      DROP TRIGGER IF EXISTS "undercroft.software_search.inserting";
      DROP TRIGGER IF EXISTS "undercroft.software_search.updating";
      DROP TABLE IF EXISTS "undercroft.software_search.replaced";
      \(PackageSchema.currentTriggers)
      INSERT INTO software_search(software_search) VALUES ('rebuild');
      """
  ).down(
    """
    DROP TRIGGER "undercroft.software_search.insert";
    DROP TRIGGER "undercroft.software_search.delete";
    DROP TRIGGER "undercroft.software_search.update";
    DROP TRIGGER "undercroft.software_search.inserting";
    DROP TRIGGER "undercroft.software_search.updating";
    DROP TABLE "undercroft.software_search.replaced";
    \(PackageSchema.declaredTriggers)
    """)
}
