import UndercroftSQLite

extension OldHome {
  /// `records.sqlite` of a home at commit 0667efb, as `sqlite3 records.sqlite .dump` printed it.
  ///
  /// The program imported ``input`` and two changelogs. The full-text table is written as the
  /// statements that create it.
  static let declaredTables: SQL = """
    CREATE TABLE "software" ("number" INTEGER PRIMARY KEY, "identity" TEXT NOT NULL UNIQUE, "name" TEXT NOT NULL, "version" TEXT NOT NULL, "architecture" TEXT NOT NULL, "section" TEXT NOT NULL, "installed_size" INTEGER NOT NULL, "summary" TEXT NOT NULL, "digest" INTEGER NOT NULL);
    INSERT INTO software VALUES(1,'dune:all','dune','1.0-2','all','novels',412,'A desert planet',8091956979412737508);
    INSERT INTO software VALUES(2,'emma:amd64','emma','3','amd64','novels',0,'The owner''s "match-making"',-7959280763999663590);
    INSERT INTO software VALUES(3,'solaris:all','solaris','1','all','tales',0,'索拉里斯 an ocean that thinks',-8344272630269721390);
    INSERT INTO software VALUES(4,'solaris:all#2','solaris','2','all','tales',7,'An ocean that thinks',3935339533764770635);
    CREATE VIRTUAL TABLE "software_search" USING fts5("name", "summary", content='software', content_rowid='number', tokenize='undercroft_cjk');
    INSERT INTO software_search(software_search) VALUES ('rebuild');
    CREATE TABLE "alternative" ("package" INTEGER NOT NULL REFERENCES "software" ("number") ON DELETE CASCADE, "position" INTEGER NOT NULL, "place" INTEGER NOT NULL, "name" TEXT NOT NULL, "requirement" TEXT NOT NULL, PRIMARY KEY ("package", "position", "place")) WITHOUT ROWID;
    INSERT INTO alternative VALUES(1,0,0,'author','');
    INSERT INTO alternative VALUES(1,1,0,'paper','>= 2.0');
    INSERT INTO alternative VALUES(1,2,0,'ink','');
    INSERT INTO alternative VALUES(1,2,1,'toner','');
    INSERT INTO alternative VALUES(1,3,0,'binding','= 1');
    INSERT INTO alternative VALUES(2,0,0,'dune','');
    INSERT INTO alternative VALUES(2,0,1,'solaris','>= 2');
    INSERT INTO alternative VALUES(4,0,0,'paper','');
    CREATE TABLE "copied_changelog" ("name" TEXT PRIMARY KEY NOT NULL, "size" INTEGER NOT NULL, "modified" INTEGER NOT NULL) WITHOUT ROWID;
    INSERT INTO copied_changelog VALUES('dune/changelog.gz',14,1767323045000000);
    INSERT INTO copied_changelog VALUES('solaris/changelog.Debian.gz',13,1767323045000000);
    CREATE TABLE "import_source" ("id" INTEGER PRIMARY KEY NOT NULL CHECK (id = 1), "fingerprint" INTEGER NOT NULL, "packages" INTEGER NOT NULL);
    INSERT INTO import_source VALUES(1,-7103471334740730320,4);
    CREATE INDEX "undercroft.software.name" ON "software" ("name");
    CREATE INDEX "undercroft.software.section" ON "software" ("section");
    CREATE TRIGGER "undercroft.software_search.insert" AFTER INSERT ON "software" BEGIN INSERT INTO "software_search"(rowid, "name", "summary") VALUES (new."number", new."name", new."summary"); END;
    CREATE TRIGGER "undercroft.software_search.delete" AFTER DELETE ON "software" BEGIN INSERT INTO "software_search"("software_search", rowid, "name", "summary") VALUES ('delete', old."number", old."name", old."summary"); END;
    CREATE TRIGGER "undercroft.software_search.update" AFTER UPDATE ON "software" WHEN old."number" IS NOT new."number" COLLATE BINARY OR old."name" IS NOT new."name" COLLATE BINARY OR old."summary" IS NOT new."summary" COLLATE BINARY BEGIN INSERT INTO "software_search"("software_search", rowid, "name", "summary") VALUES ('delete', old."number", old."name", old."summary"); INSERT INTO "software_search"(rowid, "name", "summary") VALUES (new."number", new."name", new."summary"); END;
    CREATE INDEX "undercroft.alternative.name" ON "alternative" ("name");
    """

  /// `own.sqlite` of the same home, after two searches and two notes.
  static let ownTables: SQL = """
    CREATE TABLE "note" ("number" INTEGER PRIMARY KEY, "package" TEXT NOT NULL, "text" TEXT NOT NULL, "written_at" TEXT NOT NULL);
    INSERT INTO note VALUES(1,'dune','lent to Ada','2026-11-21 20:31:11.601');
    INSERT INTO note VALUES(2,'dune','it''s "back"','2026-11-21 20:31:11.904');
    CREATE TABLE "search" ("number" INTEGER PRIMARY KEY, "text" TEXT NOT NULL, "section" TEXT NOT NULL, "found" INTEGER NOT NULL, "asked_at" TEXT NOT NULL, "turn" INTEGER NOT NULL, UNIQUE ("text", "section"));
    INSERT INTO search VALUES(1,'planet','',1,'2026-11-21 20:31:10.976',1);
    INSERT INTO search VALUES(2,'ocean','tales',2,'2026-11-21 20:31:11.289',2);
    CREATE INDEX "undercroft.note.package" ON "note" ("package");
    CREATE INDEX "undercroft.search.turn" ON "search" ("turn");
    """
}
