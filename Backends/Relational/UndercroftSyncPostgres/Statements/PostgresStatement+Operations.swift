#if SyncPostgres
  extension PostgresStatement {
    static let operation = PostgresStatement(
      "undercroft_operation", [.uuid, .text], selectOperation + " AND operation = $2")

    /// The operations with the given identifiers, each found by its key.
    static let operationsByKey = PostgresStatement(
      "undercroft_operations_by_key", [.uuid, .textArray],
      """
      SELECT operation, replica, sequence, processed_at, received_ms, body
        FROM unnest($2) AS item CROSS JOIN LATERAL (
          \(selectOperation) AND operation = item LIMIT 1
        ) AS found
      """)

    static let operationOfReplica = PostgresStatement(
      "undercroft_operation_of_replica", [.uuid, .text, .int8],
      selectOperation + " AND replica = $2 AND sequence = $3")

    private static let selectOperation = """
      SELECT operation, replica, sequence, processed_at, received_ms, body FROM sync_operation
        WHERE scope_id = $1
      """

    static let operationsOfReplica = PostgresStatement(
      "undercroft_operations_of_replica", [.uuid, .text, .int8, .int8, .int8, .int8],
      """
      SELECT operation, replica, sequence, processed_at, received_ms, body FROM (
        SELECT operation, replica, sequence, processed_at, received_ms, body,
            sum(octet_length(body)) OVER (ORDER BY sequence) - octet_length(body) AS bytes_before
          FROM (
            SELECT operation, replica, sequence, processed_at, received_ms, body
              FROM sync_operation
              WHERE scope_id = $1 AND replica = $2 AND sequence > $3 AND sequence <= $4
              ORDER BY sequence LIMIT $5
          ) AS page
      ) AS measured WHERE bytes_before < $6 ORDER BY sequence
      """)

    /// The index contains both columns, so the newest operations are skipped without their rows.
    static let versionReceivedBy = PostgresStatement(
      "undercroft_version_received_by", [.uuid, .int8],
      """
      SELECT processed_at FROM sync_operation WHERE scope_id = $1 AND received_ms <= $2
        ORDER BY processed_at DESC LIMIT 1
      """)

    /// All operations of a packet in one statement.
    static let putOperations = PostgresStatement(
      "undercroft_put_operations",
      [.uuid, .textArray, .textArray, .int8Array, .int8Array, .int8Array, .byteaArray],
      """
      INSERT INTO sync_operation(
          scope_id, operation, replica, sequence, processed_at, received_ms, body)
        SELECT $1, item.* FROM unnest($2, $3, $4, $5, $6, $7) AS item
        ON CONFLICT (scope_id, operation) DO UPDATE SET replica = excluded.replica,
          sequence = excluded.sequence, processed_at = excluded.processed_at,
          received_ms = excluded.received_ms, body = excluded.body
      """)

    static let removeOperations = PostgresStatement(
      "undercroft_remove_operations", [.uuid, .int8],
      "DELETE FROM sync_operation WHERE scope_id = $1 AND processed_at <= $2")

    // MARK: Conflicts

    static let conflict = PostgresStatement(
      "undercroft_conflict", [.uuid, .text, .text],
      """
      SELECT conflict, account, version, body FROM sync_conflict
        WHERE scope_id = $1 AND account = $2 AND conflict = $3
      """)

    /// The conflicts up to the version of the one that reaches the limit.
    static let conflictsOfAccount = PostgresStatement(
      "undercroft_conflicts_of_account", [.uuid, .text, .int8, .int8, .int8, .int8],
      """
      SELECT conflict, account, version, body FROM sync_conflict
        WHERE scope_id = $1 AND account = $2 AND version > $3 AND version <= (
          SELECT max(version) FROM (
            SELECT version, sum(bytes) OVER (ORDER BY version, conflict) - bytes AS bytes_before
              FROM (
                SELECT version, conflict, octet_length(body) AS bytes FROM sync_conflict
                  WHERE scope_id = $1 AND account = $2 AND version > $3 AND version <= $4
                  ORDER BY version, conflict LIMIT $5
              ) AS page
          ) AS measured WHERE bytes_before < $6)
        ORDER BY version, conflict
      """)

    static let putConflicts = PostgresStatement(
      "undercroft_put_conflicts", [.uuid, .textArray, .textArray, .int8Array, .byteaArray],
      """
      INSERT INTO sync_conflict(scope_id, account, conflict, version, body)
        SELECT $1, item.* FROM unnest($2, $3, $4, $5) AS item
        ON CONFLICT (scope_id, account, conflict) DO UPDATE SET
          version = excluded.version, body = excluded.body
      """)

    static let removeConflicts = PostgresStatement(
      "undercroft_remove_conflicts", [.uuid, .int8],
      "DELETE FROM sync_conflict WHERE scope_id = $1 AND version <= $2")
  }
#endif
