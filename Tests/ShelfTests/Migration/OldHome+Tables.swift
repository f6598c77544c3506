import UndercroftSQLite

extension OldHome {
  /// `records.sqlite` of a home at commit eb3723b, as `sqlite3 records.sqlite .dump` printed it.
  ///
  /// The program imported ``input`` and two changelogs.
  ///
  /// The first commit (e93e882) had, by its source, the same tables except the last one.
  static let byNameTables: SQL = """
    CREATE TABLE package(
      id TEXT PRIMARY KEY, name TEXT NOT NULL, version TEXT NOT NULL, architecture TEXT NOT NULL,
      section TEXT NOT NULL, installed_size INTEGER NOT NULL, summary TEXT NOT NULL,
      digest INTEGER NOT NULL) WITHOUT ROWID;
    INSERT INTO package VALUES('dune:all','dune','1.0-2','all','novels',412,'A desert planet',8091956979412737508);
    INSERT INTO package VALUES('emma:amd64','emma','3','amd64','novels',0,'The owner''s "match-making"',-7959280763999663590);
    INSERT INTO package VALUES('solaris:all','solaris','1','all','tales',0,'索拉里斯 an ocean that thinks',-8344272630269721390);
    INSERT INTO package VALUES('solaris:all#2','solaris','2','all','tales',7,'An ocean that thinks',3935339533764770635);
    CREATE TABLE dependency(
      package TEXT NOT NULL, position INTEGER NOT NULL, alternative INTEGER NOT NULL,
      name TEXT NOT NULL, requirement TEXT NOT NULL,
      PRIMARY KEY(package, position, alternative)) WITHOUT ROWID;
    INSERT INTO dependency VALUES('dune:all',0,0,'author','');
    INSERT INTO dependency VALUES('dune:all',1,0,'paper','>= 2.0');
    INSERT INTO dependency VALUES('dune:all',2,0,'ink','');
    INSERT INTO dependency VALUES('dune:all',2,1,'toner','');
    INSERT INTO dependency VALUES('dune:all',3,0,'binding','= 1');
    INSERT INTO dependency VALUES('emma:amd64',0,0,'dune','');
    INSERT INTO dependency VALUES('emma:amd64',0,1,'solaris','>= 2');
    INSERT INTO dependency VALUES('solaris:all#2',0,0,'paper','');
    CREATE TABLE changelog(
      name TEXT PRIMARY KEY, size INTEGER NOT NULL, modified INTEGER NOT NULL) WITHOUT ROWID;
    INSERT INTO changelog VALUES('dune/changelog.gz',14,1767323045000000);
    INSERT INTO changelog VALUES('solaris/changelog.Debian.gz',13,1767323045000000);
    CREATE INDEX package_by_name ON package(name);
    """

  /// The last table that commits before 0667efb created.
  static let sourceTable: SQL = """
    CREATE TABLE source(
      id INTEGER PRIMARY KEY CHECK (id = 1), fingerprint INTEGER NOT NULL, packages INTEGER NOT NULL);
    INSERT INTO source VALUES(1,-7103471334740730320,4);
    """
}
