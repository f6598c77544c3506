import UndercroftCore
import UndercroftSQLite

// Makes changes on behalf of the application. The triggers capture these changes, so that triggers
// and foreign keys of the application have the same effects as if the application had run the
// statement.

extension ReplicaTransaction {
  /// Changes a row as an SQL statement of the application would, and queues the change as a
  /// separate operation for the server.
  ///
  /// The operation contains neither earlier nor later changes of the row.
  ///
  /// - Parameters:
  ///   - target: the new values of columns, or `nil` to delete the row. References are keys of this
  ///     database. A missing row is inserted.
  ///   - record: the record of the row.
  /// - Returns: the local number of the operation, or `nil` if the row does not change.
  func perform(_ target: FieldValues?, on record: TrackedRecord) throws -> Int64? {
    try materialise(record)
    let last: Int64 = try db.fetchValue("SELECT coalesce(max(local_id), 0) FROM sync_to_sync")
    guard try execute(target, on: record) else { return nil }
    guard let changed = try self.record(record.recordID) else { return nil }
    try materialise(changed)
    return try db.fetchOne(
      """
      SELECT local_id FROM sync_to_sync
      WHERE record_id = \(record.recordID) AND local_id > \(last) AND state = 'ready'
      ORDER BY local_id LIMIT 1
      """
    ) { row in try row[0] }
  }

  /// Runs the statement that changes a row, and returns whether a statement was necessary.
  private func execute(_ target: FieldValues?, on record: TrackedRecord) throws -> Bool {
    switch (try visibleRow(record), target) {
    case (nil, nil): return false
    case (let current?, let target?):
      let changes = target.filter { current[$0.key] != $0.value }.sorted { $0.key < $1.key }
      guard !changes.isEmpty, let key = record.key else { return false }
      let assignments = changes.map { column, value in
        "\(identifier: column.text) = \(value.sql)" as SQL
      }
      try db.execute(
        """
        UPDATE OR ABORT main.\(identifier: record.table.name)
        SET \(assignments.joined(separator: ", ")) WHERE \(record.table.matches(key))
        """)
    case (nil, let target?):
      guard let key = try reserveKey(of: record).key else { return false }
      let values = target.sorted { $0.key < $1.key }
      let columns =
        ["\(identifier: record.table.keyColumn)"]
        + values.map { column, _ in "\(identifier: column.text)" as SQL }
      try db.execute(
        """
        INSERT OR ABORT INTO main.\(identifier: record.table.name)\
        (\(columns.joined(separator: ", ")))
        VALUES (\(([key.sql] + values.map { _, value in value.sql }).joined(separator: ", ")))
        """)
    case (_?, nil):
      guard let key = record.key else { return false }
      try db.execute(
        "DELETE FROM main.\(identifier: record.table.name) WHERE \(record.table.matches(key))")
    }
    return true
  }

  /// Writes values in the wire format to a row, and returns the local number of the operation, or
  /// `nil` if the row does not change.
  ///
  /// - Parameter increments: the numbers that are added to counters.
  func write(
    _ values: FieldValues, adding increments: CounterValues = [:], to record: TrackedRecord
  ) throws -> Int64? {
    let table = record.table
    let known = values.filter { table.syncedNames.contains($0.key) }
    let (row, unresolved) = try local(known, of: table)
    let waiting = Set(unresolved.map(\.column))
    var target = row.filter { !waiting.contains($0.key) }
    try materialise(record)
    // If an unsent insertion was undone, the record of the row has just been removed.
    guard let current = try refreshed(record) else { return nil }
    let visible = try visibleRow(current)
    for (column, increment) in increments where table.counters.contains(column) {
      target.merge([column: visible?[column] ?? .integer(0)]) { old, _ in old }
      target.add([column: increment])
    }
    let others = values.filter { waiting.contains($0.key) || !table.syncedNames.contains($0.key) }
    var localID = try perform(target, on: current)
    guard !others.isEmpty, let changed = try refreshed(current) else { return localID }
    if localID == nil { localID = try append(.update(), to: changed) }
    if let localID { try amend(localID, of: changed, with: others) }
    return localID
  }

  /// Reads a record again after its row was changed, and creates the record again if it was
  /// removed.
  ///
  /// Returns `nil` if the record was removed and had no row identifier.
  func refreshed(_ record: TrackedRecord) throws -> TrackedRecord? {
    try self.record(record.recordID)
      ?? record.dataIdentifier.map { try existingRecord(of: record.table, $0) }
  }

  /// Appends a change of a record to the queue, and returns the local number of the operation.
  ///
  /// - Parameter base: the pulled row, or `nil` to read it.
  @discardableResult
  func append(
    _ change: OperationChange, to record: TrackedRecord, over base: FieldValues?? = nil
  ) throws -> Int64 {
    try materialise(record)
    // If the row was inserted and deleted here and never sent, `materialise` has removed the
    // record.
    let record = try refreshed(record) ?? record
    let pulled = try base ?? pulledRow(record)
    let operations = try operations(of: record)
    let hidden = try overlay(operations, of: record.table).overlay
      .hiddenColumns(of: record.table.syncedNames)
    let lowest = operations.filter(\.state.isFolded).compactMap(\.base).reduce(record.version, min)
    try db.execute(
      """
      INSERT INTO sync_to_sync(scope_id, table_id, record_id, operation_identifier, state, kind,
        payload, base, hidden, seen, base_cursor, known_head, timestamp, hlc, schema_version)
      SELECT \(scopeID), \(record.table.tableID), \(record.recordID), \(newIdentifier()), 'ready',
        \(change.kind.rawValue), \(change.storedPayload), \(lowest),
        \(hidden.isEmpty ? nil : WireForm.storedText(WireForm.json(hidden))), \(record.version),
        \(SQL(unchecked: CaptureTriggers.baseCursor)), s.head, \(Self.time), \(Self.timestamp),
        \(schemaVersion)
      FROM sync_clock c, sync_scope s WHERE s.scope_id = \(scopeID)
      """)
    let localID = db.lastInsertedRowID
    try advanceClock(past: localID)
    try rebuildOrBlock(record, over: pulled)
    return localID
  }

  /// Advances the clock to the timestamp of an operation, so that later operations get greater
  /// timestamps, even after this operation has left the queue.
  func advanceClock(past localID: Int64) throws {
    try db.execute(
      """
      UPDATE sync_clock SET hlc = max(hlc,
        (SELECT hlc FROM sync_to_sync WHERE local_id = \(localID)))
      """)
  }

  /// The SQL expression for the time of a change in milliseconds since 1970, which refers to a row
  /// `c` of `sync_clock`.
  static let time = SQL(unchecked: CaptureExpressions.sqlite.time)

  /// The SQL expression for a new hybrid timestamp, which refers to a row `c` of `sync_clock` and a
  /// row `s` of `sync_scope`.
  static let timestamp = SQL(unchecked: CaptureExpressions.sqlite.timestamp)

  /// Returns a new operation identifier as an SQL blob literal for the queue.
  func newIdentifier() -> SQL {
    SQL(unchecked: "x'\(environment.makeIdentifier().replacing("-", with: ""))'")
  }

  /// Returns the identifier of an operation of the queue.
  func operationIdentifier(_ localID: Int64) throws -> OperationIdentifier {
    let text: String = try db.fetchValue(
      "SELECT lower(hex(operation_identifier)) FROM sync_to_sync WHERE local_id = \(localID)")
    return OperationIdentifier(text)
  }

  /// Adds values in the wire format to an operation that is not sealed for sending.
  ///
  /// The values belong to columns that this version of the application does not have, or refer to
  /// rows that are not in this database.
  func amend(_ localID: Int64, of record: TrackedRecord, with values: FieldValues) throws {
    guard !values.isEmpty,
      var change = try operations(of: record)
        .first(where: { $0.localID == localID })?.change, change.kind != .delete
    else { return }
    let base = try pulledRow(record)
    change.values.merge(values) { _, new in new }
    try db.execute(
      "UPDATE sync_to_sync SET payload = \(change.storedPayload) WHERE local_id = \(localID)")
    for column in values.keys where !record.table.syncedNames.contains(column) {
      try db.execute(
        """
        INSERT OR IGNORE INTO sync_unknown_column(local_id, column_name)
        VALUES (\(localID), \(column.text))
        """)
    }
    try rebuildOrBlock(record, over: base)
  }

  /// Returns the record that `sync_record` stores about a row, and creates the record if it does
  /// not exist.
  func existingRecord(
    of table: CapturedTable, _ identifier: DataIdentifier
  ) throws -> TrackedRecord {
    try record(of: table, identifier) ?? makeRecord(of: table, identifier)
  }
}
