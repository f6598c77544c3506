import UndercroftCore
import UndercroftSQLite

// A column of role `reference` contains the key of a row in this database, and its identifier on
// the wire. A reference to a row that is not here is NULL, and `sync_unresolved` contains the
// identifier until the row arrives.

/// A reference to a row that is not in this database.
struct UnresolvedReference {
  let column: ExactString
  let target: RowName
}

extension ReplicaTransaction {
  /// Returns the values of a row with the keys of this database, and the references without one.
  func local(
    _ fields: FieldValues, of table: CapturedTable
  ) throws -> (row: FieldValues, unresolved: [UnresolvedReference]) {
    var (row, unresolved) = (fields, [UnresolvedReference]())
    for (column, target) in referenceColumns(of: table) {
      guard case .text(let text)? = fields[column] else { continue }
      let identifier = DataIdentifier(text)
      if let key = try key(of: identifier, in: target) {
        row[column] = key
      } else {
        row[column] = .null
        unresolved.append(
          UnresolvedReference(column: column, target: RowName(target.name, identifier)))
      }
    }
    return (row, unresolved)
  }

  /// Returns the values of a row with identifiers instead of the keys of this database.
  ///
  /// A reference to a row that does not exist becomes NULL.
  func wire(_ row: FieldValues, of table: CapturedTable) throws -> FieldValues {
    var fields = row
    for (column, target) in referenceColumns(of: table) {
      guard let key = row[column], key != .null else { continue }
      let identifier =
        target.identity == .integer
        ? try record(of: target, key: key)?.storedIdentifier
        : target.identity.dataIdentifier(ofKey: key)
      fields[column] = identifier.map { .text($0.text) } ?? .null
    }
    return fields
  }

  /// Returns the key of an existing row, or `nil` if the row is not in this database.
  func key(of identifier: DataIdentifier, in table: CapturedTable) throws -> SyncValue? {
    let name = RowName(table.name, identifier)
    if let arriving, arriving.name == name { return arriving.key }
    guard !departing.contains(name) else { return nil }
    guard table.identity != .integer else { return try record(of: table, identifier)?.key }
    guard let key = table.identity.key(of: identifier) else { return nil }
    let exists = try db.fetchOne(
      "SELECT 1 FROM main.\(identifier: table.name) WHERE \(table.matches(key))"
    ) { _ in true }
    return exists == true ? key : nil
  }

  /// Returns the columns of a table that refer to tables of this scope.
  func referenceColumns(of table: CapturedTable) -> [(ExactString, CapturedTable)] {
    table.syncedColumns.compactMap { column in
      guard column.role == .reference, let name = column.referencedTable,
        let target = tables[ExactString(name)]
      else { return nil }
      return (ExactString(column.name), target)
    }
  }

  // MARK: Rows that arrive and leave

  /// Stores references of a pulled row that cannot be resolved yet.
  func setUnresolved(_ references: [UnresolvedReference], of record: TrackedRecord) throws {
    try db.execute("DELETE FROM sync_unresolved WHERE record_id = \(record.recordID)")
    try addUnresolved(references, of: record)
  }

  /// Stores references that cannot be resolved yet, unless the column already waits for a row.
  func addUnresolved(_ references: [UnresolvedReference], of record: TrackedRecord) throws {
    for reference in references {
      try db.execute(
        """
        INSERT OR IGNORE INTO sync_unresolved(record_id, column_name, table_name, identifier)
        VALUES (\(record.recordID), \(reference.column.text), \(reference.target.table.text),
          \(reference.target.identifier.text))
        """)
    }
  }

  /// Resolves the references to a row that has arrived.
  func resolveReferences(to record: TrackedRecord, _ identifier: DataIdentifier) throws {
    let waiting = try db.fetchAll(
      """
      SELECT record_id, column_name FROM sync_unresolved
      WHERE table_name = \(record.table.name) AND identifier = \(identifier.text)
      """
    ) { row in (recordID: try row[0] as Int64, column: ExactString(try row[1])) }
    guard !waiting.isEmpty, let key = try key(of: identifier, in: record.table) else { return }
    for (recordID, column) in waiting {
      guard let child = try self.record(recordID) else { continue }
      do {
        try refusing { try resolve(column, of: child, to: key, identifier) }
      } catch is RowRefusal {
        // The reference remains NULL, and is resolved when the row is pulled again.
        continue
      }
    }
  }

  private func resolve(
    _ column: ExactString, of child: TrackedRecord, to key: SyncValue, _ identifier: DataIdentifier
  ) throws {
    try materialise(child)
    var base = try pulledRow(child)
    let isOwn = try operations(of: child).contains { operation in
      operation.state.isFolded && operation.change?.values[column] == .text(identifier.text)
    }
    if !isOwn, base?[column] == .null { base?[column] = key }
    try db.execute(
      """
      DELETE FROM sync_unresolved
      WHERE record_id = \(child.recordID) AND column_name = \(column.text)
      """)
    try rebuild(child, over: base)
  }

  /// Sets references to a row that is about to be deleted to NULL, until the row arrives again.
  ///
  /// The server decides about the rows that refer to it. Until their changes arrive, they could
  /// otherwise refer to another row that gets the same key.
  func detachRows(from parent: TrackedRecord) throws {
    guard let key = parent.key, let identifier = parent.dataIdentifier,
      let references = references[ExactString(parent.table.name)]
    else { return }
    let name = RowName(parent.table.name, identifier)
    departing.insert(name)
    defer { departing.remove(name) }
    for reference in references {
      let keys = try db.fetchAll(
        """
        SELECT \(identifier: reference.table.keyColumn) FROM main.\(identifier: reference.table.name)
        WHERE \(identifier: reference.column.text) = \(key.sql)
        """
      ) { row in (try row[0] as StoredValue).value }
      for childKey in keys {
        guard let child = try record(of: reference.table, key: childKey),
          child.recordID != parent.recordID
        else { continue }
        try materialise(child)
        var base = try pulledRow(child)
        if base?[reference.column] == key {
          base?[reference.column] = .null
          try addUnresolved(
            [UnresolvedReference(column: reference.column, target: name)], of: child)
        }
        try rebuild(child, over: base)
      }
    }
  }
}
