// The definitions of all tables that do not depend on tables of the application.

extension SyncSchema {
  /// The definitions of the tables for the state of scopes and tables.
  ///
  /// `sync_clock.applying` is 0 while triggers capture changes, and -1 while nothing is captured.
  /// Before synchronisation writes the row of a record, it sets the column to the number of the
  /// record. After the row was written, a trigger sets the column to -2, so that changes by other
  /// triggers are not captured. `sync_table.isEnqueued` is 1 when all rows that existed before the
  /// table was added are recorded.
  static let stateTables = """
    CREATE TABLE sync_clock(
      one INTEGER PRIMARY KEY CHECK(one = 1), format INTEGER NOT NULL,
      applying INTEGER NOT NULL DEFAULT 0, wall_ms INTEGER, hlc INTEGER NOT NULL DEFAULT 0,
      group_id TEXT) STRICT;
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
      lease_owner TEXT, lease_until_ms INTEGER) STRICT;
    CREATE TABLE sync_table(
      table_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, scope_id INTEGER NOT NULL,
      key_column TEXT NOT NULL,
      identity TEXT NOT NULL CHECK(identity IN ('text', 'blob', 'integer')),
      isEnqueued INTEGER NOT NULL DEFAULT 0) STRICT;
    CREATE TABLE sync_column(
      table_id INTEGER NOT NULL, name TEXT NOT NULL, position INTEGER NOT NULL,
      role TEXT NOT NULL CHECK(role IN ('value', 'counter', 'reference', 'local')),
      referenced_table TEXT, PRIMARY KEY(table_id, name)) STRICT, WITHOUT ROWID;
    """

  /// The definition of the table `sync_record`, which has an entry for each row that was captured
  /// or pulled.
  ///
  /// `released_key` is the integer key that a deleted row had, until the operation of the deletion
  /// is computed.
  static let recordTable = """
    CREATE TABLE sync_record(
      record_id INTEGER PRIMARY KEY, table_id INTEGER NOT NULL, primary_key ANY, identifier TEXT,
      version INTEGER NOT NULL DEFAULT 0, isDeleted INTEGER NOT NULL DEFAULT 0, released_key ANY)
      STRICT;
    CREATE UNIQUE INDEX sync_record_key ON sync_record(table_id, primary_key)
      WHERE primary_key IS NOT NULL;
    CREATE UNIQUE INDEX sync_record_identifier ON sync_record(table_id, identifier)
      WHERE identifier IS NOT NULL;
    CREATE INDEX sync_record_released ON sync_record(table_id, released_key)
      WHERE released_key IS NOT NULL;
    """

  /// The definitions of the tables for the operations that the server has not confirmed.
  ///
  /// A new operation has a higher number than all others in the queue. The number of a removed
  /// operation can be used again. `AUTOINCREMENT` would prevent this, but would also write another
  /// page in each transaction that captures a change.
  ///
  /// `base_cursor` is -1 if the replica had received nothing from a server when the operation
  /// began.
  ///
  /// A batch is an operation that changes all rows that meet a condition, and has 0 as its
  /// `record_id`. To show the changes of the batch on this device, the queue has one further entry
  /// for each row. Such an entry has the `local_id` of the batch in `batch_id`, and is not sent,
  /// because the server computes the changes from the condition.
  ///
  /// `CHECK(state IN (…))` alone would create a temporary index for each captured change, which
  /// doubles the time of a change. The comparison with `'pending'` before it avoids the index.
  static let queueTables = """
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
      not_before_ms INTEGER NOT NULL DEFAULT 0) STRICT;
    CREATE INDEX sync_to_sync_record ON sync_to_sync(record_id, local_id) WHERE state <> 'pending';
    CREATE UNIQUE INDEX sync_to_sync_sequence ON sync_to_sync(scope_id, sequence)
      WHERE sequence IS NOT NULL;
    CREATE INDEX sync_to_sync_acknowledged ON sync_to_sync(scope_id, server_version)
      WHERE state = 'acked';
    CREATE INDEX sync_to_sync_batch ON sync_to_sync(batch_id) WHERE batch_id IS NOT NULL;
    CREATE TABLE sync_absorbed(
      local_id INTEGER NOT NULL, position INTEGER NOT NULL, operation_identifier BLOB NOT NULL,
      counters TEXT NOT NULL, PRIMARY KEY(local_id, position)) STRICT, WITHOUT ROWID;
    CREATE VIEW DirtyList AS
      SELECT lower(hex(o.operation_identifier)) AS identifier,
        coalesce(r.primary_key, r.identifier) AS primaryKey, t.name AS tablename, o.kind, o.state
      FROM sync_to_sync o JOIN sync_table t ON t.table_id = o.table_id
        LEFT JOIN sync_record r ON r.record_id = o.record_id;
    """

  /// The definition of the table `sync_unknown_column`.
  ///
  /// Each entry names a queued operation and one of its columns that the table of the application
  /// did not have when the operation was queued. Such operations exist because a user who answers a
  /// conflict can restore values of such columns. When the application adds the column later, the
  /// visible row first has the default value. Synchronisation then writes the value of the
  /// operation to the row, so that the default value does not count as a change of the user.
  static let unknownColumnTable = """
    CREATE TABLE IF NOT EXISTS sync_unknown_column(
      local_id INTEGER NOT NULL, column_name TEXT NOT NULL,
      PRIMARY KEY(local_id, column_name)) STRICT, WITHOUT ROWID;
    """

  /// The definitions of the tables for pulled rows, conflicts, and rows that could not be applied.
  ///
  /// `sync_unresolved` contains the references to rows that this database does not have yet. The
  /// column `isPulled` is 1 if the pulled row contains the reference, and 0 if an operation of this
  /// replica contains it. For each column, a pulled row has at most one entry.
  ///
  /// `sync_seen` and `sync_seen_record` contain the rows of the snapshot that is being pulled. Rows
  /// that were inserted together are only in `sync_seen_record`, because a table of ascending
  /// numbers is written much faster than a table of random identifiers.
  static let pullTables = """
    CREATE TABLE sync_to_execute(
      ordinal INTEGER PRIMARY KEY AUTOINCREMENT, scope_id INTEGER NOT NULL,
      kind TEXT NOT NULL CHECK(kind IN ('change', 'snapchange', 'page', 'end', 'snapend')),
      table_name TEXT, identifier TEXT, version INTEGER NOT NULL, deleted INTEGER, fields TEXT,
      hlc INTEGER, replica TEXT NOT NULL, applied_through INTEGER NOT NULL) STRICT;
    CREATE INDEX sync_to_execute_row ON sync_to_execute(table_name, identifier)
      WHERE identifier IS NOT NULL;
    CREATE TABLE sync_conflict(
      conflict_id TEXT PRIMARY KEY, scope_id INTEGER NOT NULL, kind TEXT NOT NULL,
      table_name TEXT NOT NULL, identifier TEXT NOT NULL, operation_identifier TEXT, policy TEXT,
      body TEXT NOT NULL, base_version INTEGER,
      state TEXT NOT NULL DEFAULT 'open' CHECK(state IN ('open', 'resolved')),
      created_ms INTEGER NOT NULL, resolved_by TEXT) STRICT;
    CREATE TABLE sync_extra(
      scope_id INTEGER NOT NULL, table_name TEXT NOT NULL, identifier TEXT NOT NULL,
      version INTEGER NOT NULL, fields TEXT NOT NULL,
      PRIMARY KEY(scope_id, table_name, identifier)) STRICT, WITHOUT ROWID;
    CREATE TABLE sync_unresolved(
      record_id INTEGER NOT NULL, column_name TEXT NOT NULL, isPulled INTEGER NOT NULL,
      table_name TEXT NOT NULL, identifier TEXT NOT NULL,
      PRIMARY KEY(record_id, column_name, isPulled, identifier)) STRICT, WITHOUT ROWID;
    CREATE INDEX sync_unresolved_target ON sync_unresolved(table_name, identifier);
    CREATE TABLE sync_blocked(
      table_name TEXT NOT NULL, identifier TEXT NOT NULL, version INTEGER NOT NULL,
      deleted INTEGER NOT NULL, fields TEXT, hlc INTEGER NOT NULL, reason TEXT NOT NULL,
      PRIMARY KEY(table_name, identifier)) STRICT, WITHOUT ROWID;
    CREATE TABLE sync_seen(
      scope_id INTEGER NOT NULL, table_name TEXT NOT NULL, identifier TEXT NOT NULL,
      PRIMARY KEY(scope_id, table_name, identifier)) STRICT, WITHOUT ROWID;
    CREATE TABLE sync_seen_record(
      scope_id INTEGER NOT NULL, record_id INTEGER NOT NULL,
      PRIMARY KEY(scope_id, record_id)) STRICT, WITHOUT ROWID;
    CREATE TABLE sync_log(
      at_ms INTEGER NOT NULL, scope_id INTEGER, event TEXT NOT NULL, detail TEXT) STRICT;
    """

  /// Returns the definitions of the two helper tables that store copies of the rows of a table.
  ///
  /// The first table has an entry for each dirty row, which is a row with captured changes, or with
  /// effects of operations that were not pulled yet. The entry contains the row as it was pulled
  /// last, and in `pending` the number of the operation that coalesces further changes. If
  /// `sync_record` contained this number, each change of a clean row would write another page.
  ///
  /// The second table contains, for each closed operation, the row as it was after the last change
  /// of the operation. A closed operation receives no further changes, because a later change of
  /// the row has begun another operation.
  ///
  /// The columns have no types, so that SQLite converts no value. There is a column for each
  /// position, including those of local columns.
  static func storedRowTables(of table: CapturedTable, columnCount: Int) -> String {
    let columns = (0..<columnCount).map { ", c\($0)" }.joined()
    return """
      CREATE TABLE \(table.shadowTable)(
        record_id INTEGER PRIMARY KEY, pending INTEGER, exists_ INTEGER NOT NULL\(columns));
      CREATE TABLE \(table.imageTable)(
        local_id INTEGER PRIMARY KEY, exists_ INTEGER NOT NULL\(columns));
      """
  }
}
