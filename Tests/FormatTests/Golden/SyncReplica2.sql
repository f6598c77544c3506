CREATE TABLE sync_clock(
  one INTEGER PRIMARY KEY CHECK(one = 1), format INTEGER NOT NULL,
  applying INTEGER NOT NULL DEFAULT 0, wall_ms INTEGER, hlc INTEGER NOT NULL DEFAULT 0,
  group_id TEXT) STRICT
----
CREATE TABLE sync_scope(
  scope_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, account TEXT NOT NULL,
  direction TEXT NOT NULL DEFAULT 'twoWay' CHECK(direction IN ('twoWay', 'oneWay')),
  epoch TEXT, replica TEXT NOT NULL, sequence INTEGER NOT NULL DEFAULT 0, last_operation TEXT,
  chain TEXT,
  results_through INTEGER NOT NULL DEFAULT 0, download_cursor INTEGER NOT NULL DEFAULT 0,
  applied_cursor INTEGER NOT NULL DEFAULT 0, consistent_cursor INTEGER NOT NULL DEFAULT 0,
  mode TEXT NOT NULL DEFAULT 'incremental' CHECK(mode IN ('incremental', 'snapshot')),
  snapshot_floor INTEGER, generation INTEGER NOT NULL DEFAULT 0,
  head INTEGER NOT NULL DEFAULT 0, server_offset_ms INTEGER NOT NULL DEFAULT 0,
  lease_owner TEXT, lease_until_ms INTEGER) STRICT
----
CREATE TABLE sync_table(
  table_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, scope_id INTEGER NOT NULL,
  key_column TEXT NOT NULL,
  identity TEXT NOT NULL CHECK(identity IN ('text', 'blob', 'integer')),
  isEnqueued INTEGER NOT NULL DEFAULT 0) STRICT
----
CREATE TABLE sync_column(
  table_id INTEGER NOT NULL, name TEXT NOT NULL, position INTEGER NOT NULL,
  role TEXT NOT NULL CHECK(role IN ('value', 'counter', 'reference', 'local')),
  referenced_table TEXT, PRIMARY KEY(table_id, name)) STRICT, WITHOUT ROWID
----
CREATE TABLE sync_record(
  record_id INTEGER PRIMARY KEY, table_id INTEGER NOT NULL, primary_key ANY, identifier TEXT,
  version INTEGER NOT NULL DEFAULT 0, isDeleted INTEGER NOT NULL DEFAULT 0, released_key ANY)
  STRICT
----
CREATE UNIQUE INDEX sync_record_key ON sync_record(table_id, primary_key)
  WHERE primary_key IS NOT NULL
----
CREATE UNIQUE INDEX sync_record_identifier ON sync_record(table_id, identifier)
  WHERE identifier IS NOT NULL
----
CREATE INDEX sync_record_released ON sync_record(table_id, released_key)
  WHERE released_key IS NOT NULL
----
CREATE TABLE sync_to_sync(
  local_id INTEGER PRIMARY KEY, scope_id INTEGER NOT NULL,
  table_id INTEGER NOT NULL, record_id INTEGER NOT NULL, operation_identifier BLOB NOT NULL,
  state TEXT NOT NULL CHECK(state = 'pending' OR state IN
    ('closed', 'ready', 'sealed', 'confirmed', 'acked')),
  kind TEXT, payload TEXT, base INTEGER, hidden TEXT, absorbed TEXT,
  absorbed_count INTEGER NOT NULL DEFAULT 0, seen INTEGER NOT NULL,
  base_cursor INTEGER NOT NULL, known_head INTEGER NOT NULL DEFAULT 0,
  timestamp INTEGER NOT NULL, hlc INTEGER NOT NULL,
  schema_version INTEGER, group_id TEXT, dependency_identifier TEXT, dependency_chain TEXT,
  sequence INTEGER, server_version INTEGER, resolves TEXT,
  batch_id INTEGER, attempts INTEGER NOT NULL DEFAULT 0,
  not_before_ms INTEGER NOT NULL DEFAULT 0) STRICT
----
CREATE INDEX sync_to_sync_record ON sync_to_sync(record_id, local_id) WHERE state <> 'pending'
----
CREATE UNIQUE INDEX sync_to_sync_sequence ON sync_to_sync(scope_id, sequence)
  WHERE sequence IS NOT NULL
----
CREATE INDEX sync_to_sync_acknowledged ON sync_to_sync(scope_id, server_version)
  WHERE state = 'acked'
----
CREATE INDEX sync_to_sync_batch ON sync_to_sync(batch_id) WHERE batch_id IS NOT NULL
----
CREATE TABLE sync_absorbed(
  local_id INTEGER NOT NULL, position INTEGER NOT NULL, operation_identifier BLOB NOT NULL,
  counters TEXT NOT NULL, PRIMARY KEY(local_id, position)) STRICT, WITHOUT ROWID
----
CREATE VIEW DirtyList AS
  SELECT lower(hex(o.operation_identifier)) AS identifier,
    coalesce(r.primary_key, r.identifier) AS primaryKey, t.name AS tablename, o.kind, o.state
  FROM sync_to_sync o JOIN sync_table t ON t.table_id = o.table_id
    LEFT JOIN sync_record r ON r.record_id = o.record_id
----
CREATE TABLE sync_unknown_column(
  local_id INTEGER NOT NULL, column_name TEXT NOT NULL,
  PRIMARY KEY(local_id, column_name)) STRICT, WITHOUT ROWID
----
CREATE TABLE sync_to_execute(
  ordinal INTEGER PRIMARY KEY AUTOINCREMENT, scope_id INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK(kind IN ('change', 'snapchange', 'page', 'end', 'snapend')),
  table_name TEXT, identifier TEXT, version INTEGER NOT NULL, deleted INTEGER, fields TEXT,
  hlc INTEGER, replica TEXT NOT NULL, applied_through INTEGER NOT NULL) STRICT
----
CREATE TABLE sqlite_sequence(name,seq)
----
CREATE INDEX sync_to_execute_row ON sync_to_execute(table_name, identifier)
  WHERE identifier IS NOT NULL
----
CREATE TABLE sync_conflict(
  conflict_id TEXT PRIMARY KEY, scope_id INTEGER NOT NULL, kind TEXT NOT NULL,
  table_name TEXT NOT NULL, identifier TEXT NOT NULL, operation_identifier TEXT, policy TEXT,
  body TEXT NOT NULL, base_version INTEGER,
  state TEXT NOT NULL DEFAULT 'open' CHECK(state IN ('open', 'resolved')),
  created_ms INTEGER NOT NULL, resolved_by TEXT) STRICT
----
CREATE TABLE sync_extra(
  scope_id INTEGER NOT NULL, table_name TEXT NOT NULL, identifier TEXT NOT NULL,
  version INTEGER NOT NULL, fields TEXT NOT NULL,
  PRIMARY KEY(scope_id, table_name, identifier)) STRICT, WITHOUT ROWID
----
CREATE TABLE sync_unresolved(
  record_id INTEGER NOT NULL, column_name TEXT NOT NULL, isPulled INTEGER NOT NULL,
  table_name TEXT NOT NULL, identifier TEXT NOT NULL,
  PRIMARY KEY(record_id, column_name, isPulled, identifier)) STRICT, WITHOUT ROWID
----
CREATE INDEX sync_unresolved_target ON sync_unresolved(table_name, identifier)
----
CREATE TABLE sync_blocked(
  table_name TEXT NOT NULL, identifier TEXT NOT NULL, version INTEGER NOT NULL,
  deleted INTEGER NOT NULL, fields TEXT, hlc INTEGER NOT NULL, reason TEXT NOT NULL,
  PRIMARY KEY(table_name, identifier)) STRICT, WITHOUT ROWID
----
CREATE TABLE sync_seen(
  scope_id INTEGER NOT NULL, table_name TEXT NOT NULL, identifier TEXT NOT NULL,
  PRIMARY KEY(scope_id, table_name, identifier)) STRICT, WITHOUT ROWID
----
CREATE TABLE sync_seen_record(
  scope_id INTEGER NOT NULL, record_id INTEGER NOT NULL,
  PRIMARY KEY(scope_id, record_id)) STRICT, WITHOUT ROWID
----
CREATE TABLE sync_log(
  at_ms INTEGER NOT NULL, scope_id INTEGER, event TEXT NOT NULL, detail TEXT) STRICT
----
CREATE TABLE sync_shadow_1(
  record_id INTEGER PRIMARY KEY, pending INTEGER, exists_ INTEGER NOT NULL, c0)
----
CREATE TABLE sync_image_1(
  local_id INTEGER PRIMARY KEY, exists_ INTEGER NOT NULL, c0)
----
CREATE TABLE sync_shadow_2(
  record_id INTEGER PRIMARY KEY, pending INTEGER, exists_ INTEGER NOT NULL, c0, c1, c2, c3, c4)
----
CREATE TABLE sync_image_2(
  local_id INTEGER PRIMARY KEY, exists_ INTEGER NOT NULL, c0, c1, c2, c3, c4)
----
CREATE INDEX sync_shadow_2_c3
ON sync_shadow_2(c3) WHERE c3 IS NOT NULL
----
CREATE VIEW sync_touch_1 AS SELECT NULL AS record_id, NULL AS isContinued, NULL AS exists_, NULL AS c0
----
CREATE TRIGGER sync_1_begin INSTEAD OF INSERT ON sync_touch_1
WHEN NEW.isContinued IS NULL AND NEW.record_id IS NOT NULL BEGIN
  INSERT INTO sync_to_sync(scope_id, table_id, record_id, operation_identifier, state, seen, base_cursor,
      known_head, timestamp, hlc, group_id)
    SELECT 1, 1, NEW.record_id, randomblob(16), 'pending',
      r.version, iif(s.head = 0 AND s.generation < 2, -1, s.applied_cursor), s.head, coalesce(c.wall_ms, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)), max(min(c.hlc, 9223372036854775806) + 1, (coalesce(c.wall_ms, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)) + s.server_offset_ms) << 16),
      c.group_id
    FROM sync_clock c, sync_scope s, sync_record r
    WHERE s.scope_id = 1 AND r.record_id = NEW.record_id;
  INSERT INTO sync_shadow_1(record_id, pending, exists_, c0)
    VALUES (NEW.record_id, last_insert_rowid(), NEW.exists_, NEW.c0)
    ON CONFLICT (record_id) DO UPDATE SET pending = excluded.pending;
  UPDATE sync_record SET isDeleted = 0 WHERE record_id = NEW.record_id AND isDeleted;
END
----
CREATE TRIGGER sync_1_continue INSTEAD OF INSERT ON sync_touch_1 WHEN NEW.isContinued BEGIN
  
  UPDATE sync_to_sync SET operation_identifier = randomblob(16),
    absorbed_count = absorbed_count + 0,
    (timestamp, hlc) = (
      SELECT coalesce(c.wall_ms, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)), max(max(min(c.hlc, 9223372036854775806) + 1, (coalesce(c.wall_ms, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)) + s.server_offset_ms) << 16), min(sync_to_sync.hlc, 9223372036854775806) + 1)
      FROM sync_clock c, sync_scope s WHERE s.scope_id = 1)
    WHERE local_id = (SELECT pending FROM sync_shadow_1 WHERE record_id = NEW.record_id);
END
----
CREATE TRIGGER sync_1_close INSTEAD OF INSERT ON sync_touch_1 WHEN NOT NEW.isContinued BEGIN
  INSERT INTO sync_image_1(local_id, exists_, c0)
    VALUES ((SELECT pending FROM sync_shadow_1 WHERE record_id = NEW.record_id), NEW.exists_, NEW.c0);
  UPDATE sync_to_sync SET state = 'closed' WHERE local_id = (SELECT pending FROM sync_shadow_1 WHERE record_id = NEW.record_id);
  INSERT INTO sync_to_sync(scope_id, table_id, record_id, operation_identifier, state, seen, base_cursor,
      known_head, timestamp, hlc, group_id)
    VALUES (
      1, 1, NEW.record_id, randomblob(16), 'pending',
      (SELECT version FROM sync_record WHERE record_id = NEW.record_id),
      (SELECT iif(s.head = 0 AND s.generation < 2, -1, s.applied_cursor) FROM sync_scope s WHERE s.scope_id = 1),
      (SELECT head FROM sync_scope WHERE scope_id = 1),
      (SELECT coalesce(c.wall_ms, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)) FROM sync_clock c),
      (SELECT max(max(min(c.hlc, 9223372036854775806) + 1, (coalesce(c.wall_ms, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)) + s.server_offset_ms) << 16), min(coalesce((SELECT hlc FROM sync_to_sync WHERE record_id = NEW.record_id
          AND state <> 'pending' ORDER BY local_id DESC LIMIT 1), 0), 9223372036854775806) + 1)
        FROM sync_clock c, sync_scope s WHERE s.scope_id = 1),
      (SELECT group_id FROM sync_clock));
  UPDATE sync_shadow_1 SET pending = last_insert_rowid()
    WHERE record_id = NEW.record_id;
  UPDATE sync_record SET isDeleted = 0 WHERE record_id = NEW.record_id AND isDeleted;
END
----
CREATE TRIGGER sync_1_bi BEFORE INSERT ON "author"
WHEN (SELECT applying FROM sync_clock) = 0 AND (EXISTS (SELECT 1 FROM "author" WHERE "author"."id" = NEW."id") OR EXISTS (SELECT 1 FROM sync_record WHERE table_id = 1 AND primary_key = CASE NEW."id" WHEN -1
        THEN (SELECT max("id") + 1 FROM "author") ELSE NEW."id" END
      AND EXISTS (SELECT 1 FROM sync_shadow_1 s
        WHERE s.record_id = sync_record.record_id AND s.pending IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM "author" t WHERE t."id" = sync_record.primary_key))) BEGIN
  INSERT INTO sync_touch_1
  SELECT (SELECT record_id FROM sync_record WHERE table_id = 1 AND primary_key = +"author"."id"), (SELECT group_id IS (SELECT group_id FROM sync_clock) FROM sync_to_sync
    WHERE local_id = (
      SELECT pending FROM sync_shadow_1 WHERE record_id = (SELECT record_id FROM sync_record WHERE table_id = 1 AND primary_key = +"author"."id"))), 1, "author"."name"
  FROM "author" WHERE "author"."id" = NEW."id";
  UPDATE sync_record SET isDeleted = 1, released_key = primary_key, primary_key = NULL WHERE table_id = 1 AND primary_key = CASE NEW."id" WHEN -1
        THEN (SELECT max("id") + 1 FROM "author") ELSE NEW."id" END
      AND EXISTS (SELECT 1 FROM sync_shadow_1 s
        WHERE s.record_id = sync_record.record_id AND s.pending IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM "author" t WHERE t."id" = sync_record.primary_key);
END
----
CREATE TRIGGER sync_1_ai AFTER INSERT ON "author" WHEN (SELECT applying FROM sync_clock) = 0 BEGIN
  
  
  INSERT INTO sync_record(table_id, primary_key, identifier)
    VALUES (1, NEW."id", (SELECT substr(printf('%012x', coalesce(c.wall_ms, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)) & 0xffffffffffff), 1, 8) || '-' || substr(printf('%012x', coalesce(c.wall_ms, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)) & 0xffffffffffff), 9) || '-7' || substr(lower(hex(randomblob(2))), 2) || '-8' || substr(lower(hex(randomblob(2))), 2) || '-' || lower(hex(randomblob(6))) FROM sync_clock c))
    ON CONFLICT (table_id, primary_key) WHERE primary_key IS NOT NULL DO NOTHING;
  INSERT INTO sync_touch_1 VALUES (
    (SELECT record_id FROM sync_record WHERE table_id = 1 AND primary_key = +NEW."id"), (SELECT group_id IS (SELECT group_id FROM sync_clock) AND NOT (SELECT isDeleted FROM sync_record WHERE table_id = 1 AND primary_key = +NEW."id") FROM sync_to_sync
    WHERE local_id = (
      SELECT pending FROM sync_shadow_1 WHERE record_id = (SELECT record_id FROM sync_record WHERE table_id = 1 AND primary_key = +NEW."id"))),
    0, NULL);
END
----
CREATE TRIGGER sync_1_bu BEFORE UPDATE OF "name" ON "author"
WHEN (SELECT applying FROM sync_clock) = 0 AND (NEW."name" IS NOT OLD."name" COLLATE BINARY) BEGIN
  
  INSERT INTO sync_touch_1 VALUES (
    (SELECT record_id FROM sync_record WHERE table_id = 1 AND primary_key = +OLD."id"), (SELECT group_id IS (SELECT group_id FROM sync_clock) FROM sync_to_sync
    WHERE local_id = (
      SELECT pending FROM sync_shadow_1 WHERE record_id = (SELECT record_id FROM sync_record WHERE table_id = 1 AND primary_key = +OLD."id"))), 1, OLD."name");
END
----
CREATE TRIGGER sync_1_br BEFORE UPDATE OF "id", "rowid", "_rowid_", "oid" ON "author"
WHEN (SELECT applying FROM sync_clock) = 0 AND (EXISTS (SELECT 1 FROM "author" WHERE ("author"."id" = NEW."id") AND "author"."id" IS NOT OLD."id")) BEGIN
  INSERT INTO sync_touch_1
  SELECT (SELECT record_id FROM sync_record WHERE table_id = 1 AND primary_key = +"author"."id"), (SELECT group_id IS (SELECT group_id FROM sync_clock) FROM sync_to_sync
    WHERE local_id = (
      SELECT pending FROM sync_shadow_1 WHERE record_id = (SELECT record_id FROM sync_record WHERE table_id = 1 AND primary_key = +"author"."id"))), 1, "author"."name"
  FROM "author" WHERE ("author"."id" = NEW."id") AND "author"."id" IS NOT OLD."id";
END
----
CREATE TRIGGER sync_1_au
AFTER UPDATE OF "id", "rowid", "_rowid_", "oid" ON "author"
WHEN (SELECT applying FROM sync_clock) = 0 AND NEW."id" IS NOT OLD."id" COLLATE BINARY BEGIN
  UPDATE sync_record SET isDeleted = 1, released_key = primary_key, primary_key = NULL WHERE table_id = 1 AND primary_key = +NEW."id";
  UPDATE sync_shadow_2 SET c3 = (SELECT 'record ' || r.record_id FROM sync_record r WHERE r.table_id = 1 AND r.released_key = sync_shadow_2.c3)
  WHERE c3 IN (+OLD."id", +NEW."id") AND EXISTS (SELECT 1 FROM sync_record r WHERE r.table_id = 1 AND r.released_key = sync_shadow_2.c3);
  UPDATE sync_record SET released_key = 'record ' || record_id
  WHERE table_id = 1 AND released_key IN (+OLD."id", +NEW."id");
  UPDATE sync_record SET primary_key = NEW."id" WHERE table_id = 1 AND primary_key = +OLD."id";
  UPDATE sync_shadow_2 SET c3 = NEW."id" WHERE c3 = +OLD."id";
  UPDATE sync_image_2 SET c3 = NEW."id" WHERE c3 = +OLD."id";
END
----
CREATE TRIGGER sync_1_bd BEFORE DELETE ON "author" WHEN (SELECT applying FROM sync_clock) = 0 BEGIN
  INSERT INTO sync_touch_1 VALUES (
    (SELECT record_id FROM sync_record WHERE table_id = 1 AND primary_key = +OLD."id"), (SELECT group_id IS (SELECT group_id FROM sync_clock) FROM sync_to_sync
    WHERE local_id = (
      SELECT pending FROM sync_shadow_1 WHERE record_id = (SELECT record_id FROM sync_record WHERE table_id = 1 AND primary_key = +OLD."id"))), 1, OLD."name");
END
----
CREATE TRIGGER sync_1_ad AFTER DELETE ON "author" WHEN (SELECT applying FROM sync_clock) = 0 BEGIN
  DELETE FROM sync_to_sync WHERE local_id = (
    SELECT s.pending FROM sync_record r JOIN sync_shadow_1 s USING (record_id)
    WHERE table_id = 1 AND primary_key = +OLD."id" AND r.version = 0 AND NOT s.exists_ AND NOT EXISTS (
      SELECT 1 FROM sync_to_sync o WHERE o.record_id = r.record_id AND o.state <> 'pending'));
  
  DELETE FROM sync_shadow_1 WHERE record_id = (SELECT record_id FROM sync_record WHERE table_id = 1 AND primary_key = +OLD."id") AND NOT exists_ AND pending IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM sync_to_sync o WHERE o.local_id = pending);
  DELETE FROM sync_record WHERE table_id = 1 AND primary_key = +OLD."id" AND version = 0
    AND NOT EXISTS (SELECT 1 FROM sync_shadow_1 s WHERE s.record_id = sync_record.record_id);
  UPDATE sync_record SET isDeleted = 1, released_key = primary_key, primary_key = NULL WHERE table_id = 1 AND primary_key = +OLD."id";

END
----
CREATE TRIGGER sync_1_gi BEFORE INSERT ON "author"
WHEN (SELECT applying FROM sync_clock) NOT BETWEEN -1 AND 0 BEGIN
  SELECT RAISE(IGNORE) FROM sync_clock WHERE applying IS NOT (SELECT record_id FROM sync_record WHERE table_id = 1 AND primary_key = +NEW."id");
  UPDATE sync_clock SET applying = -2;
END
----
CREATE TRIGGER sync_1_gu BEFORE UPDATE OF "name" ON "author"
WHEN (SELECT applying FROM sync_clock) NOT BETWEEN -1 AND 0 BEGIN
  SELECT RAISE(IGNORE) FROM sync_clock WHERE applying IS NOT (SELECT record_id FROM sync_record WHERE table_id = 1 AND primary_key = +OLD."id");
  UPDATE sync_clock SET applying = -2;
END
----
CREATE TRIGGER sync_1_gd BEFORE DELETE ON "author"
WHEN (SELECT applying FROM sync_clock) NOT BETWEEN -1 AND 0 BEGIN
  SELECT RAISE(IGNORE) FROM sync_clock WHERE applying IS NOT (SELECT record_id FROM sync_record WHERE table_id = 1 AND primary_key = +OLD."id");
  UPDATE sync_clock SET applying = -2;
END
----
CREATE VIEW sync_touch_2 AS SELECT NULL AS record_id, NULL AS isContinued, NULL AS exists_, NULL AS c0, NULL AS c1, NULL AS c2, NULL AS c3
----
CREATE TRIGGER sync_2_begin INSTEAD OF INSERT ON sync_touch_2
WHEN NEW.isContinued IS NULL AND NEW.record_id IS NOT NULL BEGIN
  INSERT INTO sync_to_sync(scope_id, table_id, record_id, operation_identifier, state, seen, base_cursor,
      known_head, timestamp, hlc, group_id)
    SELECT 1, 2, NEW.record_id, randomblob(16), 'pending',
      r.version, iif(s.head = 0 AND s.generation < 2, -1, s.applied_cursor), s.head, coalesce(c.wall_ms, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)), max(min(c.hlc, 9223372036854775806) + 1, (coalesce(c.wall_ms, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)) + s.server_offset_ms) << 16),
      c.group_id
    FROM sync_clock c, sync_scope s, sync_record r
    WHERE s.scope_id = 1 AND r.record_id = NEW.record_id;
  INSERT INTO sync_shadow_2(record_id, pending, exists_, c0, c1, c2, c3)
    VALUES (NEW.record_id, last_insert_rowid(), NEW.exists_, NEW.c0, NEW.c1, NEW.c2, NEW.c3)
    ON CONFLICT (record_id) DO UPDATE SET pending = excluded.pending;
  UPDATE sync_record SET isDeleted = 0 WHERE record_id = NEW.record_id AND isDeleted;
END
----
CREATE TRIGGER sync_2_continue INSTEAD OF INSERT ON sync_touch_2 WHEN NEW.isContinued BEGIN
  INSERT INTO sync_absorbed
    SELECT o.local_id, o.absorbed_count, o.operation_identifier,
      '{' || '"c2":' || CASE typeof(NEW.c2) WHEN 'integer'
        THEN NEW.c2 ELSE 'null' END || '}'
    FROM sync_to_sync o WHERE o.local_id = (SELECT pending FROM sync_shadow_2 WHERE record_id = NEW.record_id);
  UPDATE sync_to_sync SET operation_identifier = randomblob(16),
    absorbed_count = absorbed_count + 1,
    (timestamp, hlc) = (
      SELECT coalesce(c.wall_ms, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)), max(max(min(c.hlc, 9223372036854775806) + 1, (coalesce(c.wall_ms, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)) + s.server_offset_ms) << 16), min(sync_to_sync.hlc, 9223372036854775806) + 1)
      FROM sync_clock c, sync_scope s WHERE s.scope_id = 1)
    WHERE local_id = (SELECT pending FROM sync_shadow_2 WHERE record_id = NEW.record_id);
END
----
CREATE TRIGGER sync_2_close INSTEAD OF INSERT ON sync_touch_2 WHEN NOT NEW.isContinued BEGIN
  INSERT INTO sync_image_2(local_id, exists_, c0, c1, c2, c3)
    VALUES ((SELECT pending FROM sync_shadow_2 WHERE record_id = NEW.record_id), NEW.exists_, NEW.c0, NEW.c1, NEW.c2, NEW.c3);
  UPDATE sync_to_sync SET state = 'closed' WHERE local_id = (SELECT pending FROM sync_shadow_2 WHERE record_id = NEW.record_id);
  INSERT INTO sync_to_sync(scope_id, table_id, record_id, operation_identifier, state, seen, base_cursor,
      known_head, timestamp, hlc, group_id)
    VALUES (
      1, 2, NEW.record_id, randomblob(16), 'pending',
      (SELECT version FROM sync_record WHERE record_id = NEW.record_id),
      (SELECT iif(s.head = 0 AND s.generation < 2, -1, s.applied_cursor) FROM sync_scope s WHERE s.scope_id = 1),
      (SELECT head FROM sync_scope WHERE scope_id = 1),
      (SELECT coalesce(c.wall_ms, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)) FROM sync_clock c),
      (SELECT max(max(min(c.hlc, 9223372036854775806) + 1, (coalesce(c.wall_ms, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)) + s.server_offset_ms) << 16), min(coalesce((SELECT hlc FROM sync_to_sync WHERE record_id = NEW.record_id
          AND state <> 'pending' ORDER BY local_id DESC LIMIT 1), 0), 9223372036854775806) + 1)
        FROM sync_clock c, sync_scope s WHERE s.scope_id = 1),
      (SELECT group_id FROM sync_clock));
  UPDATE sync_shadow_2 SET pending = last_insert_rowid()
    WHERE record_id = NEW.record_id;
  UPDATE sync_record SET isDeleted = 0 WHERE record_id = NEW.record_id AND isDeleted;
END
----
CREATE TRIGGER sync_2_bi BEFORE INSERT ON "book"
WHEN (SELECT applying FROM sync_clock) = 0 AND (EXISTS (SELECT 1 FROM "book" WHERE "book"."id" = NEW."id")) BEGIN
  INSERT INTO sync_touch_2
  SELECT (SELECT record_id FROM sync_record WHERE table_id = 2 AND primary_key = +"book"."id"), (SELECT group_id IS (SELECT group_id FROM sync_clock) AND absorbed_count < 64 FROM sync_to_sync
    WHERE local_id = (
      SELECT pending FROM sync_shadow_2 WHERE record_id = (SELECT record_id FROM sync_record WHERE table_id = 2 AND primary_key = +"book"."id"))), 1, "book"."title", "book"."note", "book"."loans", "book"."author"
  FROM "book" WHERE "book"."id" = NEW."id";
END
----
CREATE TRIGGER sync_2_ai AFTER INSERT ON "book" WHEN (SELECT applying FROM sync_clock) = 0 BEGIN
  SELECT RAISE(ABORT, 'the table "book" is synchronised, so its counter "loans" must be an integer or NULL') WHERE typeof(NEW."loans") NOT IN ('integer', 'null');
  SELECT RAISE(ABORT, 'the table "book" is synchronised, so its primary key must be a text') WHERE typeof(NEW."id") <> 'text';
  INSERT INTO sync_record(table_id, primary_key, identifier)
    VALUES (2, NEW."id", NULL)
    ON CONFLICT (table_id, primary_key) WHERE primary_key IS NOT NULL DO NOTHING;
  INSERT INTO sync_touch_2 VALUES (
    (SELECT record_id FROM sync_record WHERE table_id = 2 AND primary_key = +NEW."id"), (SELECT group_id IS (SELECT group_id FROM sync_clock) AND absorbed_count < 64 AND NOT (SELECT isDeleted FROM sync_record WHERE table_id = 2 AND primary_key = +NEW."id") FROM sync_to_sync
    WHERE local_id = (
      SELECT pending FROM sync_shadow_2 WHERE record_id = (SELECT record_id FROM sync_record WHERE table_id = 2 AND primary_key = +NEW."id"))),
    0, NULL, NULL, NULL, NULL);
END
----
CREATE TRIGGER sync_2_bu BEFORE UPDATE OF "title", "note", "loans", "author", "id" ON "book"
WHEN (SELECT applying FROM sync_clock) = 0 AND ((NEW."title" IS NOT OLD."title" COLLATE BINARY OR NEW."note" IS NOT OLD."note" COLLATE BINARY) OR ((NEW."loans" IS NOT OLD."loans" COLLATE BINARY) OR (NEW."author" IS NOT OLD."author" COLLATE BINARY OR NEW."id" IS NOT OLD."id" COLLATE BINARY))) BEGIN
  SELECT RAISE(ABORT, 'the table "book" is synchronised, so its counter "loans" must be an integer or NULL') WHERE typeof(NEW."loans") NOT IN ('integer', 'null') AND NEW."loans" IS NOT OLD."loans";
  INSERT INTO sync_touch_2 VALUES (
    (SELECT record_id FROM sync_record WHERE table_id = 2 AND primary_key = +OLD."id"), (SELECT group_id IS (SELECT group_id FROM sync_clock) AND absorbed_count < 64 FROM sync_to_sync
    WHERE local_id = (
      SELECT pending FROM sync_shadow_2 WHERE record_id = (SELECT record_id FROM sync_record WHERE table_id = 2 AND primary_key = +OLD."id"))), 1, OLD."title", OLD."note", OLD."loans", OLD."author");
END
----
CREATE TRIGGER sync_2_br BEFORE UPDATE OF "id" ON "book"
WHEN (SELECT applying FROM sync_clock) = 0 AND (EXISTS (SELECT 1 FROM "book" WHERE ("book"."id" = NEW."id") AND "book"."id" IS NOT OLD."id")) BEGIN
  INSERT INTO sync_touch_2
  SELECT (SELECT record_id FROM sync_record WHERE table_id = 2 AND primary_key = +"book"."id"), (SELECT group_id IS (SELECT group_id FROM sync_clock) AND absorbed_count < 64 FROM sync_to_sync
    WHERE local_id = (
      SELECT pending FROM sync_shadow_2 WHERE record_id = (SELECT record_id FROM sync_record WHERE table_id = 2 AND primary_key = +"book"."id"))), 1, "book"."title", "book"."note", "book"."loans", "book"."author"
  FROM "book" WHERE ("book"."id" = NEW."id") AND "book"."id" IS NOT OLD."id";
END
----
CREATE TRIGGER sync_2_au
AFTER UPDATE OF "id" ON "book"
WHEN (SELECT applying FROM sync_clock) = 0 AND NEW."id" IS NOT OLD."id" COLLATE BINARY BEGIN
  DELETE FROM sync_to_sync WHERE local_id = (
    SELECT s.pending FROM sync_record r JOIN sync_shadow_2 s USING (record_id)
    WHERE table_id = 2 AND primary_key = +OLD."id" AND r.version = 0 AND NOT s.exists_ AND NOT EXISTS (
      SELECT 1 FROM sync_to_sync o WHERE o.record_id = r.record_id AND o.state <> 'pending'));
  DELETE FROM sync_absorbed WHERE local_id = (
    SELECT pending FROM sync_shadow_2 WHERE record_id = (SELECT record_id FROM sync_record WHERE table_id = 2 AND primary_key = +OLD."id") AND NOT exists_ AND pending IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM sync_to_sync o WHERE o.local_id = pending));
  DELETE FROM sync_shadow_2 WHERE record_id = (SELECT record_id FROM sync_record WHERE table_id = 2 AND primary_key = +OLD."id") AND NOT exists_ AND pending IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM sync_to_sync o WHERE o.local_id = pending);
  DELETE FROM sync_record WHERE table_id = 2 AND primary_key = +OLD."id" AND version = 0
    AND NOT EXISTS (SELECT 1 FROM sync_shadow_2 s WHERE s.record_id = sync_record.record_id);
  UPDATE sync_record SET isDeleted = 1 WHERE table_id = 2 AND primary_key = +OLD."id";
SELECT RAISE(ABORT, 'the table "book" is synchronised, so its primary key must be a text') WHERE typeof(NEW."id") <> 'text';
  INSERT INTO sync_record(table_id, primary_key, identifier)
    VALUES (2, NEW."id", NULL)
    ON CONFLICT (table_id, primary_key) WHERE primary_key IS NOT NULL DO NOTHING;
  INSERT INTO sync_touch_2 VALUES (
    (SELECT record_id FROM sync_record WHERE table_id = 2 AND primary_key = +NEW."id"), (SELECT group_id IS (SELECT group_id FROM sync_clock) AND absorbed_count < 64 AND NOT (SELECT isDeleted FROM sync_record WHERE table_id = 2 AND primary_key = +NEW."id") FROM sync_to_sync
    WHERE local_id = (
      SELECT pending FROM sync_shadow_2 WHERE record_id = (SELECT record_id FROM sync_record WHERE table_id = 2 AND primary_key = +NEW."id"))),
    0, NULL, NULL, NULL, NULL);
END
----
CREATE TRIGGER sync_2_bd BEFORE DELETE ON "book" WHEN (SELECT applying FROM sync_clock) = 0 BEGIN
  INSERT INTO sync_touch_2 VALUES (
    (SELECT record_id FROM sync_record WHERE table_id = 2 AND primary_key = +OLD."id"), (SELECT group_id IS (SELECT group_id FROM sync_clock) AND absorbed_count < 64 FROM sync_to_sync
    WHERE local_id = (
      SELECT pending FROM sync_shadow_2 WHERE record_id = (SELECT record_id FROM sync_record WHERE table_id = 2 AND primary_key = +OLD."id"))), 1, OLD."title", OLD."note", OLD."loans", OLD."author");
END
----
CREATE TRIGGER sync_2_ad AFTER DELETE ON "book" WHEN (SELECT applying FROM sync_clock) = 0 BEGIN
  DELETE FROM sync_to_sync WHERE local_id = (
    SELECT s.pending FROM sync_record r JOIN sync_shadow_2 s USING (record_id)
    WHERE table_id = 2 AND primary_key = +OLD."id" AND r.version = 0 AND NOT s.exists_ AND NOT EXISTS (
      SELECT 1 FROM sync_to_sync o WHERE o.record_id = r.record_id AND o.state <> 'pending'));
  DELETE FROM sync_absorbed WHERE local_id = (
    SELECT pending FROM sync_shadow_2 WHERE record_id = (SELECT record_id FROM sync_record WHERE table_id = 2 AND primary_key = +OLD."id") AND NOT exists_ AND pending IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM sync_to_sync o WHERE o.local_id = pending));
  DELETE FROM sync_shadow_2 WHERE record_id = (SELECT record_id FROM sync_record WHERE table_id = 2 AND primary_key = +OLD."id") AND NOT exists_ AND pending IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM sync_to_sync o WHERE o.local_id = pending);
  DELETE FROM sync_record WHERE table_id = 2 AND primary_key = +OLD."id" AND version = 0
    AND NOT EXISTS (SELECT 1 FROM sync_shadow_2 s WHERE s.record_id = sync_record.record_id);
  UPDATE sync_record SET isDeleted = 1 WHERE table_id = 2 AND primary_key = +OLD."id";

END
----
CREATE TRIGGER sync_2_gi BEFORE INSERT ON "book"
WHEN (SELECT applying FROM sync_clock) NOT BETWEEN -1 AND 0 BEGIN
  SELECT RAISE(IGNORE) FROM sync_clock WHERE applying IS NOT (SELECT record_id FROM sync_record WHERE table_id = 2 AND primary_key = +NEW."id");
  UPDATE sync_clock SET applying = -2;
END
----
CREATE TRIGGER sync_2_gu BEFORE UPDATE OF "title", "note", "loans", "author", "id" ON "book"
WHEN (SELECT applying FROM sync_clock) NOT BETWEEN -1 AND 0 BEGIN
  SELECT RAISE(IGNORE) FROM sync_clock WHERE applying IS NOT (SELECT record_id FROM sync_record WHERE table_id = 2 AND primary_key = +OLD."id");
  UPDATE sync_clock SET applying = -2;
END
----
CREATE TRIGGER sync_2_gd BEFORE DELETE ON "book"
WHEN (SELECT applying FROM sync_clock) NOT BETWEEN -1 AND 0 BEGIN
  SELECT RAISE(IGNORE) FROM sync_clock WHERE applying IS NOT (SELECT record_id FROM sync_record WHERE table_id = 2 AND primary_key = +OLD."id");
  UPDATE sync_clock SET applying = -2;
END
