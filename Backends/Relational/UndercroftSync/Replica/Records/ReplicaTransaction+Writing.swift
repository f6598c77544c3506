import UndercroftCore
import UndercroftSQLite

extension ReplicaTransaction {
  /// Changes the visible row to `row`, and leaves columns unchanged that `row` does not have.
  ///
  /// - Parameters:
  ///   - record: the record of the row.
  ///   - row: the new values, or `nil` to delete the row.
  /// - Returns: the record, whose key may be new.
  /// - Throws: ``RowRefusal`` or an error of SQLite if the row violates a constraint.
  @discardableResult
  func writeVisible(_ record: TrackedRecord, _ row: FieldValues?) throws -> TrackedRecord {
    switch (try visibleRow(record), row) {
    case (nil, nil): return try releaseKey(of: record)
    case (let current?, let row?):
      let changes = row.filter { current[$0.key] != $0.value }
      if !changes.isEmpty { try update(record, changes) }
      return record
    case (nil, let row?): return try insert(record, row)
    case (_?, nil): return try delete(record)
    }
  }

  private func update(_ record: TrackedRecord, _ changes: FieldValues) throws {
    guard let key = record.key else { return }
    let assignments = changes.sorted { $0.key < $1.key }.map { column, value in
      "\(identifier: column.text) = \(value.sql)" as SQL
    }
    // OR ABORT overrides a conflict clause of the schema, which could delete other rows or end the
    // transaction.
    try writing(record) {
      try db.execute(
        """
        UPDATE OR ABORT main.\(identifier: record.table.name)
        SET \(assignments.joined(separator: ", ")) WHERE \(record.table.matches(key))
        """)
    }
  }

  private func insert(_ record: TrackedRecord, _ row: FieldValues) throws -> TrackedRecord {
    let record = try reserveKey(of: record)
    guard let key = record.key else { return record }
    // The key was released if the row disappeared in the same transaction.
    if record.table.identity == .integer {
      try db.execute(
        """
        UPDATE sync_record SET primary_key = \(key.sql)
        WHERE record_id = \(record.recordID) AND primary_key IS NULL
        """)
    }
    let values = row.sorted { $0.key < $1.key }
    let columns =
      ["\(identifier: record.table.keyColumn)"]
      + values.map { column, _ in "\(identifier: column.text)" as SQL }
    try writing(record) {
      try db.execute(
        """
        INSERT OR ABORT INTO main.\(identifier: record.table.name)\
        (\(columns.joined(separator: ", ")))
        VALUES (\(([key.sql] + values.map { _, value in value.sql }).joined(separator: ", ")))
        """)
    }
    return record
  }

  /// Assigns an integer key to the record if it has none, and returns the changed record.
  ///
  /// With a key that is known before the insertion, the new row can refer to itself.
  func reserveKey(of record: TrackedRecord) throws -> TrackedRecord {
    guard record.key == nil else { return record }
    var record = record
    let key = try availableKey(of: record.table)
    record.key = key
    try db.execute(
      "UPDATE sync_record SET primary_key = \(key.sql) WHERE record_id = \(record.recordID)")
    return record
  }

  private func delete(_ record: TrackedRecord) throws -> TrackedRecord {
    guard let key = record.key else { return record }
    try detachRows(from: record)
    try writing(record) {
      try db.execute(
        "DELETE FROM main.\(identifier: record.table.name) WHERE \(record.table.matches(key))")
    }
    return try releaseKey(of: record)
  }

  /// Removes the integer key from the record of a row that does not exist, so that another row can
  /// get the key, and returns the changed record.
  @discardableResult
  func releaseKey(of record: TrackedRecord) throws -> TrackedRecord {
    guard record.table.identity == .integer, record.key != nil else { return record }
    var record = record
    record.key = nil
    try db.execute(
      """
      UPDATE sync_record SET primary_key = NULL, released_key = NULL
      WHERE record_id = \(record.recordID)
      """)
    return record
  }

  /// Runs a statement that writes the row of a record, while no trigger captures the change.
  ///
  /// - Throws: ``RowRefusal`` if the statement writes no row, because a trigger ignored the change.
  private func writing(_ record: TrackedRecord, _ body: () throws -> Int) throws {
    let name = record.dataIdentifier.map { RowName(record.table.name, $0) }
    if let name, let refusal = refused[name] { throw refusal }
    try db.execute("UPDATE sync_clock SET applying = \(record.recordID)")
    do {
      guard try body() > 0 else {
        throw RowRefusal(
          """
          a trigger of the table \(quoted(record.table.name)) prevented the change, for example \
          with RAISE(IGNORE)
          """,
          suggestion: "correct the trigger, or make a change that the trigger permits")
      }
    } catch {
      // SQLite also ends the transaction if the disk is full, which does not concern the row.
      guard !db.isInTransaction, let name, let refusal = RowRefusal(causeOf: error) else {
        throw error
      }
      throw EndedTransaction(row: name, refusal: refusal)
    }
    try db.execute("UPDATE sync_clock SET applying = 0")
  }

  /// Returns an integer key that no row and no record has.
  func availableKey(of table: CapturedTable) throws -> SyncValue {
    let last: Int64? = try db.fetchValue(
      "SELECT max(\(identifier: table.keyColumn)) FROM main.\(identifier: table.name)")
    // The record of a row that `REPLACE` deleted has a key until the deletion is computed.
    let recorded: Int64? = try db.fetchValue(
      """
      SELECT max(primary_key) FROM sync_record
      WHERE table_id = \(table.tableID) AND primary_key IS NOT NULL
      """)
    var greatest = max(last ?? 0, recorded ?? 0)
    if try db.tableExists("sqlite_sequence") {
      // AUTOINCREMENT promises that no key is ever used again.
      let used: Int64? = try db.fetchValue(
        "SELECT seq FROM sqlite_sequence WHERE name = \(table.name)")
      greatest = max(greatest, used ?? 0)
    }
    guard greatest < .max else {
      throw RowRefusal(
        """
        no new integer key is available, because \(greatest), the greatest 64-bit integer, has \
        already been a key of the table \(quoted(table.name))
        """,
        suggestion: "create another table with a primary key of the type TEXT, and copy the rows")
    }
    return .integer(max(greatest, 0) + 1)
  }
}
