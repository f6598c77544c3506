CREATE TABLE sync_store(
  one INTEGER PRIMARY KEY CHECK(one = 1), format INTEGER NOT NULL, shard INTEGER NOT NULL,
  shards INTEGER NOT NULL) STRICT
----
CREATE TABLE sync_scope(
  scope_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, epoch TEXT,
  head INTEGER NOT NULL DEFAULT 0, floor INTEGER NOT NULL DEFAULT 0,
  hlc INTEGER NOT NULL DEFAULT 0, live_rows INTEGER NOT NULL DEFAULT 0,
  digest_sum INTEGER NOT NULL DEFAULT 0) STRICT
----
CREATE TABLE sync_replica(
  scope_id INTEGER NOT NULL, replica TEXT NOT NULL, account TEXT NOT NULL,
  last_sequence INTEGER NOT NULL, last_operation TEXT, chain BLOB,
  applied_cursor INTEGER NOT NULL, results_through INTEGER NOT NULL,
  schema_version INTEGER NOT NULL, last_seen_ms INTEGER NOT NULL,
  PRIMARY KEY(scope_id, replica)) STRICT, WITHOUT ROWID
----
CREATE TABLE sync_record(
  scope_id INTEGER NOT NULL, table_name TEXT NOT NULL, identifier TEXT NOT NULL,
  version INTEGER NOT NULL, is_deleted INTEGER NOT NULL, body BLOB NOT NULL,
  PRIMARY KEY(scope_id, table_name, identifier)) STRICT, WITHOUT ROWID
----
CREATE UNIQUE INDEX sync_record_feed ON sync_record(scope_id, version)
----
CREATE INDEX sync_record_tombstone ON sync_record(scope_id, version) WHERE is_deleted = 1
----
CREATE TABLE sync_operation(
  scope_id INTEGER NOT NULL, operation TEXT NOT NULL, replica TEXT, sequence INTEGER,
  processed_at INTEGER NOT NULL, received_ms INTEGER NOT NULL, body BLOB NOT NULL,
  PRIMARY KEY(scope_id, operation)) STRICT, WITHOUT ROWID
----
CREATE UNIQUE INDEX sync_operation_chain ON sync_operation(scope_id, replica, sequence)
  WHERE replica IS NOT NULL
----
CREATE INDEX sync_operation_age ON sync_operation(scope_id, processed_at, received_ms)
----
CREATE TABLE sync_conflict(
  scope_id INTEGER NOT NULL, account TEXT NOT NULL, version INTEGER NOT NULL,
  conflict TEXT NOT NULL, body BLOB NOT NULL,
  PRIMARY KEY(scope_id, account, conflict)) STRICT, WITHOUT ROWID
----
CREATE UNIQUE INDEX sync_conflict_feed
  ON sync_conflict(scope_id, account, version, conflict)
