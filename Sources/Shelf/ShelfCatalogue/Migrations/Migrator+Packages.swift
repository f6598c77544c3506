public import Undercroft

extension Migrator {
  /// The migrator of the packages, which accepts the database of every earlier version of this
  /// program.
  ///
  /// - "1": packages, dependencies and changelogs by name, in tables that were created in SQL.
  /// - "2": the same tables, and a table that identifies the imported file.
  /// - "3": other tables, which are declared in Swift, with a full-text index.
  /// - "4": the tables of "3", without the tables of "2". The first version of this program with
  ///   the tables of "3" did not remove the tables of "2", so these tables may still exist.
  /// - "5": the tables of "3", with triggers that update the
  ///   full-text index correctly after `REPLACE` as well.
  ///
  /// The steps and the files in `Sources/Shelf/Schemas/Packages` must not change, because databases
  /// of each version exist.
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
  /// The rule that determines the version of a database from its tables.
  ///
  /// Versions of this program without a migrator stored no version in the database.
  static let packages = MigrationAdoption("the tables of an earlier shelf") { db in
    // The tables of earlier versions may exist as well: the first version of this program with
    // declared tables did not remove them.
    if try db.tableExists("software") { return "3" }
    guard try db.tableExists("package") else { return nil }
    return try db.tableExists("source") ? "2" : "1"
  }
}

extension MigrationStep {
  fileprivate static let packagesByName = MigrationStep("1", up: PackageSchema.byName)

  /// The step that adds the table that identifies the imported file.
  ///
  /// The fingerprint of the file from which the existing packages came is unknown, so the next
  /// import compares the packages one by one.
  fileprivate static let importSource = MigrationStep(
    "2",
    up: """
      \(PackageSchema.source)
      INSERT INTO source (id, fingerprint, packages)
      SELECT 1, 0, count(*) FROM package HAVING count(*) > 0;
      """
  ).down("DROP TABLE source")

  /// The step that removes the tables of version 2, which are not used since version 3.
  fileprivate static let onlyDeclaredPackages = MigrationStep(
    "4",
    up: """
      DROP TABLE IF EXISTS package;
      DROP TABLE IF EXISTS dependency;
      DROP TABLE IF EXISTS changelog;
      DROP TABLE IF EXISTS source;
      """
  ).down("SELECT 'version 3 has the same tables'")

  /// The step that replaces the triggers of the full-text index, and rebuilds the index.
  ///
  /// Without this step, the toolkit would make the same
  /// changes when the table `software` is next used.
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
