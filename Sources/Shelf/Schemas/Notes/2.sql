-- Version "2" of the schema, frozen: do not edit.
-- To be run in one transaction, on an empty database.
CREATE TABLE "note" ("number" INTEGER PRIMARY KEY, "package" TEXT NOT NULL, "text" TEXT NOT NULL, "written_at" TEXT NOT NULL);
CREATE TABLE "search" ("number" INTEGER PRIMARY KEY, "text" TEXT NOT NULL, "section" TEXT NOT NULL, "found" INTEGER NOT NULL, "asked_at" TEXT NOT NULL, "turn" INTEGER NOT NULL, UNIQUE ("text", "section"));
CREATE TABLE "saved_search" ("title" TEXT PRIMARY KEY NOT NULL, "text" TEXT NOT NULL, "section" TEXT NOT NULL);
CREATE INDEX "undercroft.note.package" ON "note" ("package");
CREATE INDEX "undercroft.search.turn" ON "search" ("turn");
