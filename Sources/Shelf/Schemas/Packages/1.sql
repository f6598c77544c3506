-- Version "1" of the schema, frozen: do not edit.
-- To be run in one transaction, on an empty database.
CREATE TABLE package(
  id TEXT PRIMARY KEY, name TEXT NOT NULL, version TEXT NOT NULL, architecture TEXT NOT NULL,
  section TEXT NOT NULL, installed_size INTEGER NOT NULL, summary TEXT NOT NULL,
  digest INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE dependency(
  package TEXT NOT NULL, position INTEGER NOT NULL, alternative INTEGER NOT NULL,
  name TEXT NOT NULL, requirement TEXT NOT NULL,
  PRIMARY KEY(package, position, alternative)) WITHOUT ROWID;
CREATE TABLE changelog(
  name TEXT PRIMARY KEY, size INTEGER NOT NULL, modified INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX package_by_name ON package(name);
