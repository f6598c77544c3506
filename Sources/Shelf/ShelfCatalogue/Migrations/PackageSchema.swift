import Undercroft

/// The statements that created the tables of packages in each released version.
///
/// The statements must not change, because they describe
/// databases that exist. A later version adds its own statements.
enum PackageSchema {
  /// The statements that create the tables of version 1, whose index contains the names of
  /// packages.
  static let byName: SQL = """
    CREATE TABLE package(
      id TEXT PRIMARY KEY, name TEXT NOT NULL, version TEXT NOT NULL, architecture TEXT NOT NULL,
      section TEXT NOT NULL, installed_size INTEGER NOT NULL, summary TEXT NOT NULL,
      digest INTEGER NOT NULL) WITHOUT ROWID;
    CREATE INDEX package_by_name ON package(name);
    CREATE TABLE dependency(
      package TEXT NOT NULL, position INTEGER NOT NULL, alternative INTEGER NOT NULL,
      name TEXT NOT NULL, requirement TEXT NOT NULL,
      PRIMARY KEY(package, position, alternative)) WITHOUT ROWID;
    CREATE TABLE changelog(
      name TEXT PRIMARY KEY, size INTEGER NOT NULL, modified INTEGER NOT NULL) WITHOUT ROWID;
    """

  /// The table that version 2 adds.
  static let source: SQL = """
    CREATE TABLE source(
      id INTEGER PRIMARY KEY CHECK (id = 1), fingerprint INTEGER NOT NULL, packages INTEGER NOT NULL);
    """

  /// The schema of versions 3 and 4: exactly the statements with
  /// which the toolkit created the tables that are declared in Swift.
  ///
  /// If the SQL of an index or trigger differed, the
  /// toolkit would create the index or trigger again.
  static let declared: SQL = "\(declaredTables)\(declaredTriggers)"

  /// The schema of version 5, which has the same tables with the current triggers.
  static let current: SQL = "\(declaredTables)\(currentTriggers)"

  private static let declaredTables: SQL = """
    CREATE TABLE "software" ("number" INTEGER PRIMARY KEY, "identity" TEXT NOT NULL UNIQUE, \
    "name" TEXT NOT NULL, "version" TEXT NOT NULL, "architecture" TEXT NOT NULL, \
    "section" TEXT NOT NULL, "installed_size" INTEGER NOT NULL, "summary" TEXT NOT NULL, \
    "digest" INTEGER NOT NULL);
    CREATE VIRTUAL TABLE "software_search" USING fts5("name", "summary", content='software', \
    content_rowid='number', tokenize='undercroft_cjk');
    CREATE TABLE "alternative" ("package" INTEGER NOT NULL REFERENCES "software" ("number") \
    ON DELETE CASCADE, "position" INTEGER NOT NULL, "place" INTEGER NOT NULL, \
    "name" TEXT NOT NULL, "requirement" TEXT NOT NULL, \
    PRIMARY KEY ("package", "position", "place")) WITHOUT ROWID;
    CREATE TABLE "copied_changelog" ("name" TEXT PRIMARY KEY NOT NULL, "size" INTEGER NOT NULL, \
    "modified" INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE "import_source" ("id" INTEGER PRIMARY KEY NOT NULL CHECK (id = 1), \
    "fingerprint" INTEGER NOT NULL, "packages" INTEGER NOT NULL);
    CREATE INDEX "undercroft.software.name" ON "software" ("name");
    CREATE INDEX "undercroft.software.section" ON "software" ("section");
    CREATE INDEX "undercroft.alternative.name" ON "alternative" ("name");

    """

  /// The triggers of the full-text index in versions 3 and 4.
  static let declaredTriggers: SQL = """
    CREATE TRIGGER "undercroft.software_search.insert" AFTER INSERT ON "software" BEGIN \
    INSERT INTO "software_search"(rowid, "name", "summary") \
    VALUES (new."number", new."name", new."summary"); END;
    CREATE TRIGGER "undercroft.software_search.delete" AFTER DELETE ON "software" BEGIN \
    INSERT INTO "software_search"("software_search", rowid, "name", "summary") \
    VALUES ('delete', old."number", old."name", old."summary"); END;
    CREATE TRIGGER "undercroft.software_search.update" AFTER UPDATE ON "software" \
    WHEN old."number" IS NOT new."number" COLLATE BINARY \
    OR old."name" IS NOT new."name" COLLATE BINARY \
    OR old."summary" IS NOT new."summary" COLLATE BINARY BEGIN \
    INSERT INTO "software_search"("software_search", rowid, "name", "summary") \
    VALUES ('delete', old."number", old."name", old."summary"); \
    INSERT INTO "software_search"(rowid, "name", "summary") \
    VALUES (new."number", new."name", new."summary"); END;
    """

  /// The triggers of the full-text index since version 5, which are also correct after REPLACE.
  static let currentTriggers: SQL = """
    CREATE TABLE "undercroft.software_search.replaced"(number, text0, text1);
    CREATE TRIGGER "undercroft.software_search.inserting" BEFORE INSERT ON "software" BEGIN \
    DELETE FROM "undercroft.software_search.replaced" WHERE true; INSERT INTO \
    "undercroft.software_search.replaced" SELECT "number", "name", "summary" FROM "software" \
    WHERE "number" = new."number"; INSERT INTO "undercroft.software_search.replaced" SELECT \
    "number", "name", "summary" FROM "software" WHERE "identity" = new."identity" COLLATE \
    "binary"; END;
    CREATE TRIGGER "undercroft.software_search.insert" AFTER INSERT ON "software" BEGIN INSERT \
    INTO "software_search"("software_search", rowid, "name", "summary") SELECT DISTINCT \
    'delete', number, text0, text1 FROM "undercroft.software_search.replaced" WHERE number = \
    new."number" OR NOT EXISTS (SELECT 1 FROM "software" WHERE "software"."number" = \
    "undercroft.software_search.replaced".number); DELETE FROM \
    "undercroft.software_search.replaced" WHERE true; INSERT INTO "software_search"(rowid, \
    "name", "summary") VALUES (new."number", new."name", new."summary"); END;
    CREATE TRIGGER "undercroft.software_search.delete" AFTER DELETE ON "software" BEGIN INSERT \
    INTO "software_search"("software_search", rowid, "name", "summary") SELECT 'delete', \
    old."number", old."name", old."summary"; DELETE FROM "undercroft.software_search.replaced" \
    WHERE number = old."number"; END;
    CREATE TRIGGER "undercroft.software_search.updating" BEFORE UPDATE ON "software" WHEN \
    old."number" IS NOT new."number" COLLATE BINARY OR old."identity" IS NOT new."identity" \
    COLLATE BINARY BEGIN DELETE FROM "undercroft.software_search.replaced" WHERE true; INSERT \
    INTO "undercroft.software_search.replaced" SELECT "number", "name", "summary" FROM \
    "software" WHERE "number" = new."number" AND "number" <> old."number"; INSERT INTO \
    "undercroft.software_search.replaced" SELECT "number", "name", "summary" FROM "software" \
    WHERE "identity" = new."identity" COLLATE "binary" AND "number" <> old."number"; END;
    CREATE TRIGGER "undercroft.software_search.update" AFTER UPDATE ON "software" WHEN \
    old."number" IS NOT new."number" COLLATE BINARY OR old."name" IS NOT new."name" COLLATE \
    BINARY OR old."summary" IS NOT new."summary" COLLATE BINARY OR EXISTS (SELECT 1 FROM \
    "undercroft.software_search.replaced") BEGIN INSERT INTO \
    "software_search"("software_search", rowid, "name", "summary") SELECT DISTINCT 'delete', \
    number, text0, text1 FROM "undercroft.software_search.replaced" WHERE number = new."number" \
    AND number <> old."number" OR NOT EXISTS (SELECT 1 FROM "software" WHERE "software"."number" \
    = "undercroft.software_search.replaced".number); DELETE FROM \
    "undercroft.software_search.replaced" WHERE true; INSERT INTO \
    "software_search"("software_search", rowid, "name", "summary") SELECT 'delete', \
    old."number", old."name", old."summary" WHERE old."number" IS NOT new."number" COLLATE \
    BINARY OR old."name" IS NOT new."name" COLLATE BINARY OR old."summary" IS NOT new."summary" \
    COLLATE BINARY; INSERT INTO "software_search"(rowid, "name", "summary") SELECT new."number", \
    new."name", new."summary" WHERE old."number" IS NOT new."number" COLLATE BINARY OR \
    old."name" IS NOT new."name" COLLATE BINARY OR old."summary" IS NOT new."summary" COLLATE \
    BINARY; END;
    """
}
