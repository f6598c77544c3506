import UndercroftCore
import UndercroftSQLite

// Stores pulled values whose columns, and pulled rows whose tables, this version of the application
// does not have yet.

extension ReplicaTransaction {
  /// Stores the values of columns that the table does not have yet.
  func storeUnknownColumns(_ row: PulledRow, of table: CapturedTable) throws {
    var unknown = row
    unknown.fields = row.fields?.filter { !table.syncedNames.contains($0.key) }
    if unknown.fields?.isEmpty == true { unknown.fields = nil }
    try storeExtra(unknown)
  }

  /// Stores a row of a table that does not exist yet, or the unknown columns of a row.
  func storeExtra(_ row: PulledRow) throws {
    let stored: Int64? = try db.fetchValue(
      """
      SELECT version FROM sync_extra
      WHERE scope_id = \(scopeID) AND table_name = \(row.table)
        AND identifier = \(row.dataIdentifier.text)
      """)
    if let stored {
      guard stored < row.version else { return }
      try removeExtra(row)
    }
    guard let fields = row.fields else { return }
    try db.execute(
      """
      INSERT INTO sync_extra(scope_id, table_name, identifier, version, fields)
      VALUES (\(scopeID), \(row.table), \(row.dataIdentifier.text), \(row.version),
        \(WireForm.storedText(WireForm.json(fields))))
      """)
  }

  private func removeExtra(_ row: PulledRow) throws {
    try db.execute(
      """
      DELETE FROM sync_extra
      WHERE scope_id = \(scopeID) AND table_name = \(row.table)
        AND identifier = \(row.dataIdentifier.text)
      """)
  }

  /// Applies stored values whose columns were created after the values were pulled, and stored rows
  /// whose tables were created after the rows were pulled.
  func adoptExtras() throws {
    try adoptOwnValues()
    for table in tables.values.sorted(by: { $0.tableID < $1.tableID }) {
      let rows = try db.fetchAll(
        """
        SELECT identifier, version, fields FROM sync_extra
        WHERE scope_id = \(scopeID) AND table_name = \(table.name)
        """
      ) { row in
        let identifier: String = try row[0]
        let fields = try WireForm.storedFields(
          try row[2], of: "unknown columns of the row \(quoted("\(table.name)/\(identifier)"))")
        return PulledRow(
          table: table.name, dataIdentifier: DataIdentifier(identifier), version: try row[1],
          hybridTimestamp: .zero, fields: fields)
      }
      for row in rows { try adopt(row, in: table) }
    }
  }

  /// Writes values of queued operations to the visible rows, if the columns of the values were
  /// created after the operations were queued.
  ///
  /// The values are written before captured changes are computed. If the changes were computed
  /// first, the default value of a new column would count as a later change of the user.
  private func adoptOwnValues() throws {
    let queued = try db.fetchAll(
      """
      SELECT o.record_id, u.column_name FROM sync_unknown_column u JOIN sync_to_sync o
        ON o.local_id = u.local_id WHERE o.scope_id = \(scopeID)
      """
    ) { row in (recordID: try row[0] as Int64, column: ExactString(try row[1])) }
    for (recordID, columns) in Dictionary(grouping: queued, by: \.recordID) {
      guard let record = try record(recordID) else { continue }
      let added = Set(columns.map(\.column)).intersection(record.table.syncedNames)
      do {
        try refusing { try showOwnValues(of: added, in: record) }
      } catch let refusal as RowRefusal {
        try log("extra", refusal.reason)
      }
      for column in added {
        try db.execute(
          """
          DELETE FROM sync_unknown_column WHERE column_name = \(column.text)
            AND local_id IN (SELECT local_id FROM sync_to_sync WHERE record_id = \(recordID))
          """)
      }
    }
  }

  private func showOwnValues(of columns: Set<ExactString>, in record: TrackedRecord) throws {
    let overlay = try overlay(operations(of: record), of: record.table).overlay
    guard try visibleRow(record) != nil, let row = try overlay.fold(over: shadowRow(record)) else {
      return
    }
    try writeVisible(record, row.filter { columns.contains($0.key) })
  }

  private func adopt(_ row: PulledRow, in table: CapturedTable) throws {
    let known = (row.fields ?? [:]).filter { table.syncedNames.contains($0.key) }
    let record = try record(of: table, row.dataIdentifier)
    guard record == nil || !known.isEmpty else { return }
    do {
      try refusing {
        try removeExtra(row)
        guard let record else { return try apply(row, to: table, appliedThrough: 0) }
        try storeUnknownColumns(row, of: table)
        try materialise(record)
        let readable = try decrypted(known, of: table, row.dataIdentifier)
        let (values, unresolved) = try local(readable, of: table)
        let base = try pulledRow(record)?.merging(values) { _, new in new }
        try addPulled(unresolved, of: record)
        try rebuild(record, over: base)
      }
    } catch let refusal as RowRefusal {
      try log("extra", refusal.reason)
    }
  }
}
