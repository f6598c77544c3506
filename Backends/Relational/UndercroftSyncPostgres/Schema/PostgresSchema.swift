#if SyncPostgres
  import UndercroftCore

  /// The tables of a ``PostgresSyncStore``. (Docs/Formats/SyncPostgres.md)
  package enum PostgresSchema {
    /// The version of the tables.
    static let format: Int64 = 1

    /// Returns the statements that create the tables and their indexes if they do not exist.
    ///
    /// Every key begins with the scope, so that a database that distributes its rows stores the
    /// rows of a scope together. Names are compared by their bytes.
    ///
    /// - Parameter collation: the clause for the columns with names, which is empty for a database
    ///   that compares texts by their bytes.
    package static func statements(collation: String) -> [String] {
      let text = "text" + collation
      return [
        """
        CREATE TABLE IF NOT EXISTS sync_store(
          one smallint PRIMARY KEY CHECK (one = 1), format bigint NOT NULL)
        """,
        // epoch IS NULL: the state was not stored yet.
        """
        CREATE TABLE IF NOT EXISTS sync_scope(
          scope_id uuid PRIMARY KEY, name \(text) NOT NULL, epoch \(text),
          head bigint NOT NULL DEFAULT 0, floor bigint NOT NULL DEFAULT 0,
          hlc bigint NOT NULL DEFAULT 0, live_rows bigint NOT NULL DEFAULT 0,
          digest_sum bigint NOT NULL DEFAULT 0, changed_at timestamptz NOT NULL DEFAULT now())
        """,
        """
        CREATE TABLE IF NOT EXISTS sync_replica(
          scope_id uuid NOT NULL, replica \(text) NOT NULL, account \(text) NOT NULL,
          last_sequence bigint NOT NULL, last_operation \(text), chain bytea,
          applied_cursor bigint NOT NULL, results_through bigint NOT NULL,
          schema_version bigint NOT NULL, last_seen_ms bigint NOT NULL,
          PRIMARY KEY (scope_id, replica))
        """,
        // is_deleted: 0 for a row, 1 for a tombstone, 2 for a tombstone that is not removed.
        """
        CREATE TABLE IF NOT EXISTS sync_record(
          scope_id uuid NOT NULL, table_name \(text) NOT NULL, identifier \(text) NOT NULL,
          version bigint NOT NULL, is_deleted smallint NOT NULL, body bytea NOT NULL,
          PRIMARY KEY (scope_id, table_name, identifier))
        """,
        """
        CREATE UNIQUE INDEX IF NOT EXISTS sync_record_feed ON sync_record(scope_id, version)
        """,
        """
        CREATE INDEX IF NOT EXISTS sync_record_tombstone ON sync_record(scope_id, version)
          WHERE is_deleted = 1
        """,
        """
        CREATE TABLE IF NOT EXISTS sync_operation(
          scope_id uuid NOT NULL, operation \(text) NOT NULL, replica \(text), sequence bigint,
          processed_at bigint NOT NULL, received_ms bigint NOT NULL, body bytea NOT NULL,
          PRIMARY KEY (scope_id, operation))
        """,
        """
        CREATE UNIQUE INDEX IF NOT EXISTS sync_operation_chain
          ON sync_operation(scope_id, replica, sequence) WHERE replica IS NOT NULL
        """,
        """
        CREATE INDEX IF NOT EXISTS sync_operation_age
          ON sync_operation(scope_id, processed_at, received_ms)
        """,
        """
        CREATE TABLE IF NOT EXISTS sync_conflict(
          scope_id uuid NOT NULL, account \(text) NOT NULL, version bigint NOT NULL,
          conflict \(text) NOT NULL, body bytea NOT NULL,
          PRIMARY KEY (scope_id, account, conflict))
        """,
        """
        CREATE UNIQUE INDEX IF NOT EXISTS sync_conflict_feed
          ON sync_conflict(scope_id, account, version, conflict)
        """,
        // The row states that all tables exist.
        "INSERT INTO sync_store(one, format) VALUES (1, \(format)) ON CONFLICT (one) DO NOTHING",
      ]
    }
  }
#endif
