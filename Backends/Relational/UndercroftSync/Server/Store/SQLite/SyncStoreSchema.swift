import UndercroftCore
import UndercroftFoundation
import UndercroftSQLite

/// The tables of a file of a ``SQLiteSyncStore``.
enum SyncStoreSchema {
  /// The version of the file format.
  static let format: Int64 = 1

  /// Creates the tables in an empty file, or verifies the format and the position of an existing
  /// file.
  ///
  /// - Parameters:
  ///   - shard: the position of the file among the files of the store, beginning with 0.
  ///   - count: the number of files of the store.
  /// - Throws: ``StorageError/Code/notSupported`` for another format, and
  ///   ``StorageError/Code/misuse`` for another position or number of files.
  static func ensure(in database: Database, shard: Int, of count: Int) throws {
    let store = "the synchronisation store \(quoted(database.location?.path ?? ":memory:"))"
    try database.write(from: .sync) { db in
      guard try db.tableExists("sync_store") else {
        try db.executeScript(tables)
        try db.execute("INSERT INTO sync_store VALUES (1, \(format), \(shard), \(count))")
        return
      }
      let found = try db.fetchOne("SELECT format, shard, shards FROM sync_store") { row in
        (format: try row[0] as Int64, shard: try row[1] as Int, count: try row[2] as Int)
      }
      guard let found, found.format == format else {
        throw StorageError(
          .notSupported,
          "cannot open \(store): "
            + (found.map {
              "the file has the format \($0.format), but this version of the library supports only "
                + "the format \(format)"
            } ?? "the table \"sync_store\", which contains the format of the file, has no row"),
          suggestion: found == nil
            ? "restore the file from a backup"
            : "open the store with the version of the library that wrote the file",
          backend: SQLiteBackend.name)
      }
      guard found.shard == shard, found.count == count else {
        throw StorageError(
          .misuse,
          """
          cannot open \(store): the file was created as \(quoted("sync-\(found.shard).sqlite")) \
          with shards = \(found.count), but is opened as \(quoted("sync-\(shard).sqlite")) with \
          shards = \(count)
          """,
          suggestion: found.count == count
            ? """
            rename the file to \(quoted("sync-\(found.shard).sqlite")), its name when the store was \
            created
            """
            : "pass \(found.count) for shards, the number of files when the store was created",
          backend: SQLiteBackend.name)
      }
    }
  }

  /// The statements that create the tables.
  ///
  /// Every key begins with the scope, so that the rows of a scope are stored next to each other.
  private static let tables: SQL = """
    CREATE TABLE sync_store(
      one INTEGER PRIMARY KEY CHECK(one = 1), format INTEGER NOT NULL, shard INTEGER NOT NULL,
      shards INTEGER NOT NULL) STRICT;
    -- epoch IS NULL: the state was not stored yet.
    CREATE TABLE sync_scope(
      scope_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, epoch TEXT,
      head INTEGER NOT NULL DEFAULT 0, floor INTEGER NOT NULL DEFAULT 0,
      hlc INTEGER NOT NULL DEFAULT 0, live_rows INTEGER NOT NULL DEFAULT 0,
      digest_sum INTEGER NOT NULL DEFAULT 0) STRICT;
    CREATE TABLE sync_replica(
      scope_id INTEGER NOT NULL, replica TEXT NOT NULL, account TEXT NOT NULL,
      last_sequence INTEGER NOT NULL, last_operation TEXT, chain BLOB,
      applied_cursor INTEGER NOT NULL, results_through INTEGER NOT NULL,
      schema_version INTEGER NOT NULL, last_seen_ms INTEGER NOT NULL,
      PRIMARY KEY(scope_id, replica)) STRICT, WITHOUT ROWID;
    -- is_deleted: 0 for a row, 1 for a tombstone, 2 for a tombstone that is not removed.
    CREATE TABLE sync_record(
      scope_id INTEGER NOT NULL, table_name TEXT NOT NULL, identifier TEXT NOT NULL,
      version INTEGER NOT NULL, is_deleted INTEGER NOT NULL, body BLOB NOT NULL,
      PRIMARY KEY(scope_id, table_name, identifier)) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX sync_record_feed ON sync_record(scope_id, version);
    CREATE INDEX sync_record_tombstone ON sync_record(scope_id, version) WHERE is_deleted = 1;
    CREATE TABLE sync_operation(
      scope_id INTEGER NOT NULL, operation TEXT NOT NULL, replica TEXT, sequence INTEGER,
      processed_at INTEGER NOT NULL, received_ms INTEGER NOT NULL, body BLOB NOT NULL,
      PRIMARY KEY(scope_id, operation)) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX sync_operation_chain ON sync_operation(scope_id, replica, sequence)
      WHERE replica IS NOT NULL;
    CREATE INDEX sync_operation_age ON sync_operation(scope_id, processed_at, received_ms);
    CREATE TABLE sync_conflict(
      scope_id INTEGER NOT NULL, account TEXT NOT NULL, version INTEGER NOT NULL,
      conflict TEXT NOT NULL, body BLOB NOT NULL,
      PRIMARY KEY(scope_id, account, conflict)) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX sync_conflict_feed
      ON sync_conflict(scope_id, account, version, conflict);
    """
}
