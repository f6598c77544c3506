import UndercroftSQLite

/// The statements that have made the tables of packages, as they were released: a later version has statements of its own.
enum PackageSchema {
  /// Version 1.
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

  /// What version 2 has besides.
  static let source: SQL = """
    CREATE TABLE source(
      id INTEGER PRIMARY KEY CHECK (id = 1), fingerprint INTEGER NOT NULL, packages INTEGER NOT NULL);
    """

  /// Versions 3 and 4: letter by letter what the declared tables make, whose indexes and triggers would else be made anew.
  static let declared: SQL = """
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
}
