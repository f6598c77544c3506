-- Version "3" of the schema, frozen: do not edit.
-- To be run in one transaction, on an empty database.
CREATE TABLE "software" ("number" INTEGER PRIMARY KEY, "identity" TEXT NOT NULL UNIQUE, "name" TEXT NOT NULL, "version" TEXT NOT NULL, "architecture" TEXT NOT NULL, "section" TEXT NOT NULL, "installed_size" INTEGER NOT NULL, "summary" TEXT NOT NULL, "digest" INTEGER NOT NULL);
CREATE VIRTUAL TABLE "software_search" USING fts5("name", "summary", content='software', content_rowid='number', tokenize='undercroft_cjk');
CREATE TABLE "alternative" ("package" INTEGER NOT NULL REFERENCES "software" ("number") ON DELETE CASCADE, "position" INTEGER NOT NULL, "place" INTEGER NOT NULL, "name" TEXT NOT NULL, "requirement" TEXT NOT NULL, PRIMARY KEY ("package", "position", "place")) WITHOUT ROWID;
CREATE TABLE "copied_changelog" ("name" TEXT PRIMARY KEY NOT NULL, "size" INTEGER NOT NULL, "modified" INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE "import_source" ("id" INTEGER PRIMARY KEY NOT NULL CHECK (id = 1), "fingerprint" INTEGER NOT NULL, "packages" INTEGER NOT NULL);
CREATE INDEX "undercroft.software.name" ON "software" ("name");
CREATE INDEX "undercroft.software.section" ON "software" ("section");
CREATE INDEX "undercroft.alternative.name" ON "alternative" ("name");
CREATE TRIGGER "undercroft.software_search.insert" AFTER INSERT ON "software" BEGIN INSERT INTO "software_search"(rowid, "name", "summary") VALUES (new."number", new."name", new."summary"); END;
CREATE TRIGGER "undercroft.software_search.delete" AFTER DELETE ON "software" BEGIN INSERT INTO "software_search"("software_search", rowid, "name", "summary") VALUES ('delete', old."number", old."name", old."summary"); END;
CREATE TRIGGER "undercroft.software_search.update" AFTER UPDATE ON "software" WHEN old."number" IS NOT new."number" COLLATE BINARY OR old."name" IS NOT new."name" COLLATE BINARY OR old."summary" IS NOT new."summary" COLLATE BINARY BEGIN INSERT INTO "software_search"("software_search", rowid, "name", "summary") VALUES ('delete', old."number", old."name", old."summary"); INSERT INTO "software_search"(rowid, "name", "summary") VALUES (new."number", new."name", new."summary"); END;
