import UndercroftSQLite

// SQLite has no procedures. A view with a trigger instead of insertions is one: its columns are the
// parameters, which the statements read without searching the record again.

extension CaptureTriggers {
  private var parameters: String { synced.map { ", NEW.\($0.storedName)" }.joined() }
  private var storedNames: String { synced.map { ", \($0.storedName)" }.joined() }

  var touchView: String {
    """
    CREATE VIEW \(view) AS SELECT NULL AS record_id, NULL AS pending, NULL AS exists_\
    \(synced.map { ", NULL AS \($0.storedName)" }.joined())
    """
  }

  /// Returns the statement that calls ``touchProcedure`` for a row that exists before the change.
  func touch(_ row: String) -> String {
    "INSERT INTO \(view) VALUES (\(recordID(of: row)), \(pending(of: row)), 1\(values(of: row)));"
  }

  /// Returns the statement that calls ``touchProcedure`` for a row that did
  /// not exist before the change.
  func touchInserted(_ row: String) -> String {
    let none = synced.map { _ in ", NULL" }.joined()
    return "INSERT INTO \(view) VALUES (\(recordID(of: row)), \(pending(of: row)), 0\(none));"
  }

  /// Returns the statement that calls ``touchProcedure`` for the existing
  /// rows that meet a condition.
  func touchRows(where condition: String) -> String {
    """
    INSERT INTO \(view)
      SELECT \(recordID(of: table)), \(pending(of: table)), 1\(values(of: table))
      FROM \(table) WHERE \(condition);
    """
  }

  /// The `INSTEAD OF` trigger that the capturing triggers call like a procedure, with the values of
  /// a row before its change.
  ///
  /// The change becomes part of the row's pending operation, unless the operation belongs to
  /// another group, has absorbed too many changes, or deletes the row that is inserted now. In
  /// these cases, the given values are stored as the result of the pending operation, the operation
  /// is closed, and a new operation begins.
  ///
  /// The procedure does not write the clock. The clock advances when operations are computed to be
  /// sent, and a new timestamp exceeds those of the clock and of the record's operations.
  var touchProcedure: String {
    """
    CREATE TRIGGER \(name("touch")) INSTEAD OF INSERT ON \(view) BEGIN
      INSERT INTO \(captured.shadowTable)(record_id, exists_\(storedNames))
        SELECT record_id, NEW.exists_\(parameters) FROM sync_record
        WHERE record_id = NEW.record_id AND isDirty = 0;
      \(captured.hasCounters ? absorb : "")
      UPDATE sync_to_sync SET operation_identifier = \(expressions.randomBytes(16)),
        absorbed_count = absorbed_count + \(captured.hasCounters ? 1 : 0),
        (timestamp, hlc) = (
          SELECT \(expressions.time), \(expressions.timestamp(after: "sync_to_sync.hlc"))
          FROM sync_clock c, sync_scope s WHERE s.scope_id = \(captured.scopeID))
        WHERE \(isContinued("sync_to_sync"));
      INSERT INTO \(captured.imageTable)(local_id, exists_\(storedNames))
        SELECT NEW.pending, NEW.exists_\(parameters)
        WHERE changes() = 0 AND NEW.pending IS NOT NULL;
      INSERT INTO sync_to_sync(
          scope_id, table_id, record_id, operation_identifier, state, seen, base_cursor, timestamp,
          hlc, group_id)
        SELECT \(captured.scopeID), \(tableID), r.record_id, \(expressions.randomBytes(16)),
          'pending', r.version, s.applied_cursor, \(expressions.time),
          \(expressions.timestamp(after: lastTimestamp)), c.group_id
        FROM sync_record r, sync_clock c, sync_scope s
        WHERE r.record_id = NEW.record_id AND s.scope_id = \(captured.scopeID)
          AND (r.pending IS NULL
            OR EXISTS (SELECT 1 FROM \(captured.imageTable) WHERE local_id = r.pending));
      UPDATE sync_record SET pending = last_insert_rowid(), isDirty = 1, isDeleted = 0
        WHERE record_id = CASE changes() WHEN 1 THEN NEW.record_id END;
      UPDATE sync_to_sync SET state = 'closed'
        WHERE local_id = CASE changes() WHEN 1 THEN NEW.pending END;
    END
    """
  }

  /// The condition under which the pending operation includes the change.
  private func isContinued(_ operation: String) -> String {
    let limit = captured.hasCounters ? " AND absorbed_count < \(Self.absorbedLimit)" : ""
    return """
      \(operation).local_id = NEW.pending
          AND \(operation).group_id IS (SELECT group_id FROM sync_clock)\(limit)
          AND (NEW.exists_ OR NOT (
            SELECT isDeleted FROM sync_record WHERE record_id = NEW.record_id))
      """
  }

  /// The statement that stores the operation identifier that a change replaces, with the values of
  /// the counters before the change.
  ///
  /// Only integers are stored, because other values do not survive JSON or make its functions fail.
  private var absorb: String {
    let counters = synced.filter { $0.role == .counter }.map { column in
      """
      '"\(column.storedName)":' || CASE typeof(NEW.\(column.storedName)) WHEN 'integer'
              THEN NEW.\(column.storedName) ELSE 'null' END
      """
    }
    return """
      INSERT INTO sync_absorbed
          SELECT o.local_id, o.absorbed_count, o.operation_identifier,
            '{' || \(counters.joined(separator: " || ',' || ")) || '}'
          FROM sync_to_sync o WHERE \(isContinued("o"));
      """
  }

  // MARK: Timestamps

  /// The timestamp of the record's last operation.
  private var lastTimestamp: String {
    """
    CASE r.isDirty WHEN 0 THEN 0 ELSE coalesce(
            (SELECT hlc FROM sync_to_sync WHERE local_id = r.pending),
            (SELECT hlc FROM sync_to_sync o WHERE o.record_id = r.record_id
              AND o.state <> 'pending' ORDER BY local_id DESC LIMIT 1), 0) END
    """
  }
}
