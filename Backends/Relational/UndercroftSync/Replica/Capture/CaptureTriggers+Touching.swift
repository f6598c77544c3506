import UndercroftSQLite

// SQLite has no procedures, so a view with an `INSTEAD OF INSERT` trigger serves as one. The
// columns of the view are the parameters, so that the statements need not search for the record
// again.

extension CaptureTriggers {
  private var parameters: String { synced.map { ", NEW.\($0.storedName)" }.joined() }
  private var storedNames: String { synced.map { ", \($0.storedName)" }.joined() }

  var touchView: String {
    """
    CREATE VIEW \(view) AS SELECT NULL AS record_id, NULL AS isContinued, NULL AS exists_\
    \(synced.map { ", NULL AS \($0.storedName)" }.joined())
    """
  }

  /// Returns the statement of a trigger that runs ``touchProcedure`` for a row that existed before
  /// the change.
  ///
  /// - Parameter row: the name of the row in the trigger, such as `OLD`.
  func touch(_ row: String) -> String {
    """
    INSERT INTO \(view) VALUES (
        \(recordID(of: row)), \(continuation(of: row)), 1\(values(of: row)));
    """
  }

  /// Returns the statement that calls ``touchProcedure`` for a row that did not exist before the
  /// change.
  ///
  /// If the pending operation of the record deletes the row, the change does not become part of
  /// this operation and begins another one. The server receives the deletion and the insertion
  /// separately.
  func touchInserted(_ row: String) -> String {
    let isNotDeleted = "NOT (SELECT isDeleted FROM sync_record WHERE \(isRecord(of: row)))"
    return """
      INSERT INTO \(view) VALUES (
          \(recordID(of: row)), \(continuation(of: row, ifTrue: isNotDeleted)),
          0\(synced.map { _ in ", NULL" }.joined()));
      """
  }

  /// Returns the statement that calls ``touchProcedure`` for the existing rows that meet a
  /// condition.
  func touchRows(where condition: String) -> String {
    """
    INSERT INTO \(view)
      SELECT \(recordID(of: table)), \(continuation(of: table)), 1\(values(of: table))
      FROM \(table) WHERE \(condition);
    """
  }

  /// Returns the SQL expression for whether a change becomes part of the pending operation of its
  /// record.
  ///
  /// The value is NULL if the record has no pending operation, and 1 if the change becomes part of
  /// the pending operation. The value is 0 if the pending operation must be closed, so that the
  /// change begins another operation. This is the case if the pending operation belongs to another
  /// group than the change, if it has absorbed ``absorbedLimit`` changes, or if `condition` is
  /// false.
  private func continuation(of row: String, ifTrue condition: String? = nil) -> String {
    let conditions =
      ["group_id IS (SELECT group_id FROM sync_clock)"]
      + (captured.hasCounters ? ["absorbed_count < \(Self.absorbedLimit)"] : [])
      + (condition.map { [$0] } ?? [])
    return """
      (SELECT \(conditions.joined(separator: " AND ")) FROM sync_to_sync
          WHERE local_id = (
            SELECT pending FROM \(captured.shadowTable) WHERE record_id = \(recordID(of: row))))
      """
  }

  /// The SQL expression for the local number of the pending operation of the record that
  /// ``touchProcedure`` receives.
  private var pending: String {
    "(SELECT pending FROM \(captured.shadowTable) WHERE record_id = NEW.record_id)"
  }

  /// The `INSTEAD OF` triggers that the capturing triggers call like a procedure, with the values
  /// of a row before its change.
  ///
  /// At most one of the three triggers runs, because their conditions are disjoint. A `SELECT` that
  /// reads the queue must not insert into the queue, because SQLite would create a temporary table
  /// for each row.
  ///
  /// The triggers read the clock but do not write it. The clock advances only when operations are
  /// computed to be sent. A new timestamp must also exceed the timestamps of operations of the same
  /// record that are not computed yet. So it is compared with the clock and with the pending
  /// operation or the operation that was closed last. If there is neither, a comparison with the
  /// clock is sufficient.
  var touchProcedure: [String] { [beginProcedure, continueProcedure, closeProcedure] }

  /// The trigger that begins an operation.
  ///
  /// If the record has no other operation, the trigger also stores the row as it was before the
  /// change.
  ///
  /// The trigger ignores a row without a record. Such a row has not been enqueued yet, and its
  /// later insertion will contain the change.
  private var beginProcedure: String {
    """
    CREATE TRIGGER \(name("begin")) INSTEAD OF INSERT ON \(view)
    WHEN NEW.isContinued IS NULL AND NEW.record_id IS NOT NULL BEGIN
      INSERT INTO sync_to_sync(\(Self.queueColumns))
        SELECT \(captured.scopeID), \(tableID), NEW.record_id, \(expressions.randomBytes(16)), 'pending',
          r.version, \(Self.baseCursor), s.head, \(expressions.time), \(expressions.timestamp),
          c.group_id
        FROM sync_clock c, sync_scope s, sync_record r
        WHERE s.scope_id = \(captured.scopeID) AND r.record_id = NEW.record_id;
      INSERT INTO \(captured.shadowTable)(record_id, pending, exists_\(storedNames))
        VALUES (NEW.record_id, last_insert_rowid(), NEW.exists_\(parameters))
        ON CONFLICT (record_id) DO UPDATE SET pending = excluded.pending;
      \(Self.recordExistence)
    END
    """
  }

  /// The trigger that adds a change to the pending operation, and replaces the identifier of the
  /// operation.
  private var continueProcedure: String {
    """
    CREATE TRIGGER \(name("continue")) INSTEAD OF INSERT ON \(view) WHEN NEW.isContinued BEGIN
      \(captured.hasCounters ? absorb : "")
      UPDATE sync_to_sync SET operation_identifier = \(expressions.randomBytes(16)),
        absorbed_count = absorbed_count + \(captured.hasCounters ? 1 : 0),
        (timestamp, hlc) = (
          SELECT \(expressions.time), \(expressions.timestamp(after: "sync_to_sync.hlc"))
          FROM sync_clock c, sync_scope s WHERE s.scope_id = \(captured.scopeID))
        WHERE local_id = \(pending);
    END
    """
  }

  /// The trigger that closes the pending operation, with the row as the result of that operation,
  /// and begins the next operation.
  private var closeProcedure: String {
    """
    CREATE TRIGGER \(name("close")) INSTEAD OF INSERT ON \(view) WHEN NOT NEW.isContinued BEGIN
      INSERT INTO \(captured.imageTable)(local_id, exists_\(storedNames))
        VALUES (\(pending), NEW.exists_\(parameters));
      UPDATE sync_to_sync SET state = 'closed' WHERE local_id = \(pending);
      INSERT INTO sync_to_sync(\(Self.queueColumns))
        VALUES (
          \(captured.scopeID), \(tableID), NEW.record_id, \(expressions.randomBytes(16)), 'pending',
          (SELECT version FROM sync_record WHERE record_id = NEW.record_id),
          (SELECT \(Self.baseCursor) FROM sync_scope s WHERE s.scope_id = \(captured.scopeID)),
          (SELECT head FROM sync_scope WHERE scope_id = \(captured.scopeID)),
          (SELECT \(expressions.time) FROM sync_clock c),
          (SELECT \(expressions.timestamp(after: Self.lastTimestamp))
            FROM sync_clock c, sync_scope s WHERE s.scope_id = \(captured.scopeID)),
          (SELECT group_id FROM sync_clock));
      UPDATE \(captured.shadowTable) SET pending = last_insert_rowid()
        WHERE record_id = NEW.record_id;
      \(Self.recordExistence)
    END
    """
  }

  /// The columns of the queue to which a new pending operation has values.
  private static let queueColumns = """
    scope_id, table_id, record_id, operation_identifier, state, seen, base_cursor,
          known_head, timestamp, hlc, group_id
    """

  /// The statement that records that a row exists.
  ///
  /// If the change deletes the row, the trigger after the deletion then records this. The row of
  /// `sync_record` is usually not written, because it states already that the row exists.
  private static let recordExistence = """
    UPDATE sync_record SET isDeleted = 0 WHERE record_id = NEW.record_id AND isDeleted;
    """

  /// The SQL expression for the timestamp of the record's operation that was closed last.
  ///
  /// The other operations of the record need not be compared. Operations that were closed earlier
  /// have smaller timestamps, and all operations that are neither pending nor closed have
  /// timestamps up to that of the clock.
  private static let lastTimestamp = """
    coalesce((SELECT hlc FROM sync_to_sync WHERE record_id = NEW.record_id
              AND state <> 'pending' ORDER BY local_id DESC LIMIT 1), 0)
    """

  /// The statement that stores the operation identifier that a change replaces, with the values of
  /// the counters before the change.
  ///
  /// A counter that is not an integer is stored as null, because JSON cannot represent every value.
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
          FROM sync_to_sync o WHERE o.local_id = \(pending);
      """
  }

  /// The SQL expression for the version up to which a replica has applied all changes, or -1 if the
  /// replica has received nothing from a server.
  ///
  /// The expression refers to a row `s` of `sync_scope`.
  ///
  /// If `generation` is 2 or more, the replica can have received rows of an earlier history or
  /// snapshot, even if `head` is 0.
  static let baseCursor = "iif(s.head = 0 AND s.generation < 2, -1, s.applied_cursor)"
}
