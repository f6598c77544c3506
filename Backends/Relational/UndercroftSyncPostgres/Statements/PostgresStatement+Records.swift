#if SyncPostgres
  extension PostgresStatement {
    static let record = PostgresStatement(
      "undercroft_record", [.uuid, .text, .text],
      """
      SELECT table_name, identifier, version, is_deleted, body FROM sync_record
        WHERE scope_id = $1 AND table_name = $2 AND identifier = $3
      """)

    /// The rows of a table with the given identifiers.
    ///
    /// The bodies after the limit of bytes are NULL, so that a packet that names many large rows
    /// does not transfer all of them at once. The subquery finds each row by its key: without
    /// statistics of the table, PostgreSQL evaluates `identifier = ANY($3)` for every row of the
    /// scope (15 ms on average instead of 1 ms for 500 of 10,000 rows). `LIMIT` keeps the planner
    /// from merging the subquery into the join.
    static let recordsByKey = PostgresStatement(
      "undercroft_records_by_key", [.uuid, .text, .textArray, .int8],
      """
      SELECT table_name, identifier, version, is_deleted, CASE WHEN bytes_before < $4 THEN body END
        FROM (
          SELECT table_name, identifier, version, is_deleted, body,
              sum(octet_length(body)) OVER (ORDER BY identifier) - octet_length(body)
                AS bytes_before
            FROM unnest($3) AS item CROSS JOIN LATERAL (
              SELECT table_name, identifier, version, is_deleted, body FROM sync_record
                WHERE scope_id = $1 AND table_name = $2 AND identifier = item LIMIT 1
            ) AS found
        ) AS measured
      """)

    /// The rows by version.
    ///
    /// The server applies the limit of bytes, so that a page of large rows is not sent as a whole.
    static let recordsByVersion = PostgresStatement(
      "undercroft_records_by_version", [.uuid, .int8, .int8, .int8],
      """
      SELECT table_name, identifier, version, is_deleted, body FROM (
        SELECT table_name, identifier, version, is_deleted, body,
            sum(octet_length(body)) OVER (ORDER BY version) - octet_length(body) AS bytes_before
          FROM (
            SELECT table_name, identifier, version, is_deleted, body FROM sync_record
              WHERE scope_id = $1 AND version > $2 ORDER BY version LIMIT $3
          ) AS page
      ) AS measured WHERE bytes_before < $4 ORDER BY version
      """)

    static let recordsOfTable = PostgresStatement(
      "undercroft_records_of_table", [.uuid, .text, .text, .int8, .int8],
      """
      SELECT table_name, identifier, version, is_deleted, body FROM (
        SELECT table_name, identifier, version, is_deleted, body,
            sum(octet_length(body)) OVER (ORDER BY identifier) - octet_length(body) AS bytes_before
          FROM (
            SELECT table_name, identifier, version, is_deleted, body FROM sync_record
              WHERE scope_id = $1 AND table_name = $2 AND identifier > $3
              ORDER BY identifier LIMIT $4
          ) AS page
      ) AS measured WHERE bytes_before < $5 ORDER BY identifier
      """)

    /// All rows of a packet in one statement.
    static let putRecords = PostgresStatement(
      "undercroft_put_records",
      [.uuid, .textArray, .textArray, .int8Array, .int2Array, .byteaArray],
      """
      INSERT INTO sync_record(scope_id, table_name, identifier, version, is_deleted, body)
        SELECT $1, item.* FROM unnest($2, $3, $4, $5, $6) AS item
        ON CONFLICT (scope_id, table_name, identifier) DO UPDATE SET
          version = excluded.version, is_deleted = excluded.is_deleted, body = excluded.body
      """)

    static let removeTombstones = PostgresStatement(
      "undercroft_remove_tombstones", [.uuid, .int8],
      "DELETE FROM sync_record WHERE scope_id = $1 AND is_deleted = 1 AND version <= $2")
  }
#endif
