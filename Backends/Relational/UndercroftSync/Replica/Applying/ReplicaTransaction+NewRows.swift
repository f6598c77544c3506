import UndercroftCore
import UndercroftSQLite

// Most pulled rows of a first synchronisation are new to this database, and nothing waits for them.
// They are inserted with three prepared statements, instead of about 18 statements for each row.

extension ReplicaTransaction {
  /// Inserts the rows of the first entries, and stops at the first entry that is not a simple new
  /// row of the same table.
  ///
  /// A new row is simple if it can be inserted without a change of other rows, and its references
  /// can be resolved. Every other row must be applied with
  /// ``apply(_:to:appliedThrough:isForced:)``, which has the same result for simple new rows.
  ///
  /// - Returns: the number of entries that were executed, which is 0 if the first entry is not a
  ///   simple new row.
  func insertNewRows(_ entries: ArraySlice<StagedEntry>) throws -> Int {
    guard !isStrict, refused.isEmpty, let first = entries.first?.row, first.fields != nil,
      let table = tables[ExactString(first.table)], try acceptsNewRows(table),
      try record(of: table, first.dataIdentifier) == nil
    else { return 0 }
    var count = 0
    do {
      try refusing { try insert(entries, into: table, count: &count) }
    } catch is RowRefusal {
      // The row after the first `count` rows violates a constraint.
      guard count > 0 else { return 0 }
      let accepted = entries.prefix(count)
      count = 0
      try refusing { try insert(accepted, into: table, count: &count) }
    }
    guard count > 0 else { return 0 }
    let executed = entries.prefix(count)
    try db.execute(
      """
      DELETE FROM sync_to_execute WHERE scope_id = \(scopeID)
        AND ordinal BETWEEN \(executed[executed.startIndex].ordinal)
          AND \(executed[executed.endIndex - 1].ordinal)
      """)
    return count
  }

  /// Returns whether new rows of a table can be inserted together.
  ///
  /// They cannot if the table has triggers of the application, because synchronisation must
  /// recognise the statements of these triggers. Nor can they if this database stores a blocked row
  /// of the table, values of its unknown columns, or unresolved references to its rows.
  private func acceptsNewRows(_ table: CapturedTable) throws -> Bool {
    if let known = tablesForNewRows[table.tableID] { return known }
    let own = CaptureTriggers.names(of: table).map { "\($0)" as SQL }.joined(separator: ", ")
    let accepts: Bool = try db.fetchValue(
      """
      SELECT NOT EXISTS(
          SELECT 1 FROM main.sqlite_schema WHERE type = 'trigger'
            AND tbl_name = \(table.name) COLLATE NOCASE AND name NOT IN (\(own)))
        AND NOT EXISTS(
          SELECT 1 FROM temp.sqlite_schema WHERE type = 'trigger'
            AND tbl_name = \(table.name) COLLATE NOCASE)
        AND NOT EXISTS(SELECT 1 FROM sync_blocked WHERE table_name = \(table.name))
        AND NOT EXISTS(
          SELECT 1 FROM sync_extra WHERE scope_id = \(scopeID) AND table_name = \(table.name))
        AND NOT EXISTS(SELECT 1 FROM sync_unresolved WHERE table_name = \(table.name))
      """)
    tablesForNewRows[table.tableID] = accepts
    return accepts
  }

  /// Inserts rows until an entry is not a new row of the table.
  ///
  /// - Parameter count: the number of inserted rows, also if the function throws.
  private func insert(
    _ entries: ArraySlice<StagedEntry>, into table: CapturedTable, count: inout Int
  ) throws {
    var inserted = 0
    defer { count = inserted }
    let names = table.syncedColumns.map { ExactString($0.name) }
    let columns = ([table.keyColumn] + names.map(\.text)).map { "\(identifier: $0)" as SQL }
    let placeholders = columns.map { _ in "?" as SQL }.joined(separator: ", ")
    let newRecord: SQL = """
      INSERT INTO sync_record(table_id, primary_key, identifier, version) VALUES (?, ?, ?, ?)
      ON CONFLICT DO NOTHING
      """
    // OR ABORT overrides a conflict clause of the schema, which could delete other rows.
    let newRow: SQL = """
      INSERT OR ABORT INTO main.\(identifier: table.name)(\(columns.joined(separator: ", ")))
      VALUES (\(placeholders))
      """
    try db.execute("UPDATE sync_clock SET applying = -1")
    try db.prepare(newRecord) { newRecord in
      try db.prepare(newRow) { newRow in
        var lastKey: Int64?
        for entry in entries {
          guard !executedEarly.contains(entry.ordinal), let row = entry.row,
            row.table.isExactly(table.name), let values = try newValues(row, of: table, names),
            let key = try newKey(of: row.dataIdentifier, in: table, after: &lastKey)
          else { break }
          try newRecord.bind(table.tableID, at: 1)
          try newRecord.bind(key, at: 2)
          try newRecord.bind(
            table.identity == .integer ? .text(row.dataIdentifier.text) : .null, at: 3)
          try newRecord.bind(row.version, at: 4)
          guard try newRecord.runCountingChanges() > 0 else { break }
          if entry.kind == .snapshotChange { try markSeen(db.lastInsertedRowID) }
          try newRow.bind(key, at: 1)
          for (position, value) in values.enumerated() {
            try newRow.bind(value, at: position + 2)
          }
          try newRow.run()
          inserted += 1
        }
      }
    }
    try db.execute("UPDATE sync_clock SET applying = 0")
  }

  /// Records that the snapshot that is being pulled contains the row of a record.
  private func markSeen(_ recordID: Int64) throws {
    try db.execute(
      """
      INSERT OR IGNORE INTO sync_seen_record(scope_id, record_id)
      VALUES (\(scopeID), \(recordID))
      """)
  }

  /// Returns the values of a pulled row in the order of `names`, or `nil` if the row cannot be
  /// inserted together with others.
  ///
  /// This is the case if the row is deleted or has unknown columns, if a value is missing or cannot
  /// be decrypted, if a reference cannot be resolved, or if a text is not UTF-8.
  private func newValues(
    _ row: PulledRow, of table: CapturedTable, _ names: [ExactString]
  ) throws -> [SyncValue]? {
    guard let fields = row.fields, fields.keys.allSatisfy(table.syncedNames.contains) else {
      return nil
    }
    var values: FieldValues
    do { values = try decrypted(fields, of: table, row.dataIdentifier) } catch is RowRefusal {
      return nil
    }
    let (local, unresolved) = try local(values, of: table)
    guard unresolved.isEmpty else { return nil }
    values = local
    if values.count < names.count {
      values.merge(try missingValues(in: fields, of: table)) { $1 }
      guard values.count == names.count else { return nil }
    }
    let ordered = names.compactMap { values[$0] }
    return ordered.contains(where: \.isMalformedText) ? nil : ordered
  }

  /// Returns the key of a new row.
  ///
  /// The first integer key is one that no row has, and each further integer key is greater by 1.
  /// Any other key is made from the identifier of the row. Returns `nil` if no greater integer
  /// exists, or if no key can be made from the identifier.
  ///
  /// - Parameter last: the integer key of the previous new row, or `nil` for the first row.
  private func newKey(
    of identifier: DataIdentifier, in table: CapturedTable, after last: inout Int64?
  ) throws -> SyncValue? {
    guard table.identity == .integer else { return table.identity.key(of: identifier) }
    guard let previous = last else {
      let key = try availableKey(of: table)
      if case .integer(let number) = key { last = number }
      return key
    }
    guard previous < .max else { return nil }
    last = previous + 1
    return .integer(previous + 1)
  }
}

extension SyncValue {
  /// Whether the value is text that is not UTF-8.
  ///
  /// Such text must be bound as a blob and converted with `CAST`.
  fileprivate var isMalformedText: Bool {
    if case .malformedText = self { true } else { false }
  }
}

extension Statement {
  /// Binds a value to the placeholder at `position`, counted from 1.
  fileprivate func bind(_ value: SyncValue, at position: Int) throws {
    switch value.stored {
    case .null: try bind(SQLNull(), at: position)
    case .integer(let integer): try bind(integer, at: position)
    case .real(let real): try bind(real, at: position)
    case .text(let text): try bind(text, at: position)
    case .malformedText(let bytes), .blob(let bytes): try bind(bytes, at: position)
    case .encrypted(let value): try bind(value.text, at: position)
    }
  }
}
