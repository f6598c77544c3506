#if SyncPostgres
  extension PostgresStatement {
    static let beginWrite = PostgresStatement(
      "undercroft_begin_write", [], "BEGIN ISOLATION LEVEL READ COMMITTED")
    static let beginRead = PostgresStatement(
      "undercroft_begin_read", [], "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
    static let commit = PostgresStatement("undercroft_commit", [], "COMMIT")
    static let rollback = PostgresStatement("undercroft_rollback", [], "ROLLBACK")

    static let insertScope = PostgresStatement(
      "undercroft_insert_scope", [.uuid, .text],
      "INSERT INTO sync_scope(scope_id, name) VALUES ($1, $2) ON CONFLICT (scope_id) DO NOTHING")

    static let lockScope = PostgresStatement(
      "undercroft_lock_scope", [.uuid], selectScope + " FOR UPDATE")

    static let scope = PostgresStatement("undercroft_scope", [.uuid], selectScope)

    private static let selectScope = """
      SELECT epoch, head, floor, hlc, live_rows, digest_sum FROM sync_scope WHERE scope_id = $1
      """

    static let putScope = PostgresStatement(
      "undercroft_put_scope", [.uuid, .text, .int8, .int8, .int8, .int8, .int8],
      """
      UPDATE sync_scope SET epoch = $2, head = $3, floor = $4, hlc = $5, live_rows = $6,
          digest_sum = $7, changed_at = clock_timestamp()
        WHERE scope_id = $1
      """)

    static let scopes = PostgresStatement(
      once: "SELECT name FROM sync_scope WHERE epoch IS NOT NULL")

    static let replica = PostgresStatement(
      "undercroft_replica", [.uuid, .text], selectReplica + " AND replica = $2")

    static let replicas = PostgresStatement("undercroft_replicas", [.uuid], selectReplica)

    private static let selectReplica = """
      SELECT replica, account, last_sequence, last_operation, chain, applied_cursor,
          results_through, schema_version, last_seen_ms
        FROM sync_replica WHERE scope_id = $1
      """

    static let putReplica = PostgresStatement(
      "undercroft_put_replica",
      [.uuid, .text, .text, .int8, .text, .bytea, .int8, .int8, .int8, .int8],
      """
      INSERT INTO sync_replica(scope_id, replica, account, last_sequence, last_operation, chain,
          applied_cursor, results_through, schema_version, last_seen_ms)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        ON CONFLICT (scope_id, replica) DO UPDATE SET account = excluded.account,
          last_sequence = excluded.last_sequence, last_operation = excluded.last_operation,
          chain = excluded.chain, applied_cursor = excluded.applied_cursor,
          results_through = excluded.results_through, schema_version = excluded.schema_version,
          last_seen_ms = excluded.last_seen_ms
      """)

    static let removeReplica = PostgresStatement(
      "undercroft_remove_replica", [.uuid, .text],
      "DELETE FROM sync_replica WHERE scope_id = $1 AND replica = $2")

    static let orphanOperations = PostgresStatement(
      "undercroft_orphan_operations", [.uuid, .text],
      """
      UPDATE sync_operation SET replica = NULL, sequence = NULL
        WHERE scope_id = $1 AND replica = $2
      """)
  }
#endif
