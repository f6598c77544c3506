import UndercroftCore
import UndercroftSQLite

// A column of role `reference` contains the key of the referenced row in this database, and the
// identifier of this row in messages. If the referenced row is not in this database, the column is
// NULL, and `sync_unresolved` contains the identifier until the row arrives.

/// A reference to a row that is not in this database.
struct UnresolvedReference {
  let column: ExactString
  let target: RowName
}

extension ReplicaTransaction {
  /// Returns the values of a row with references as keys of this database, and the references to
  /// rows that are not in this database.
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

  /// Returns the values of a row with references as identifiers instead of keys of this database.
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

  /// Returns the columns that refer to tables of this scope, together with these tables.
  func referenceColumns(of table: CapturedTable) -> [(ExactString, CapturedTable)] {
    table.syncedColumns.compactMap { column in
      guard column.role == .reference, let name = column.referencedTable,
        let target = tables[ExactString(name)]
      else { return nil }
      return (ExactString(column.name), target)
    }
  }

  // MARK: Rows that arrive and leave

  /// Replaces the stored list of references that cannot be resolved yet.
  ///
  /// - Parameter isPulled: whether the references belong to the pulled row of the record, or to the
  ///   operations of the record.
  func setUnresolved(
    _ references: [UnresolvedReference], of record: TrackedRecord, isPulled: Bool
  ) throws {
    try db.execute(
      """
      DELETE FROM sync_unresolved
      WHERE record_id = \(record.recordID) AND isPulled = \(isPulled)
      """)
    for reference in references { try add(reference, of: record, isPulled: isPulled) }
  }

  /// Adds references of the pulled row to the stored list of references that cannot be resolved
  /// yet.
  func addPulled(_ references: [UnresolvedReference], of record: TrackedRecord) throws {
    for reference in references {
      try removePulled(reference.column, of: record)
      try add(reference, of: record, isPulled: true)
    }
  }

  private func add(
    _ reference: UnresolvedReference, of record: TrackedRecord, isPulled: Bool
  ) throws {
    try db.execute(
      """
      INSERT OR IGNORE INTO sync_unresolved(
        record_id, column_name, isPulled, table_name, identifier)
      VALUES (\(record.recordID), \(reference.column.text), \(isPulled),
        \(reference.target.table.text), \(reference.target.identifier.text))
      """)
  }

  private func removePulled(_ column: ExactString, of record: TrackedRecord) throws {
    try db.execute(
      """
      DELETE FROM sync_unresolved
      WHERE record_id = \(record.recordID) AND column_name = \(column.text) AND isPulled = 1
      """)
  }

  /// Returns the values of the pulled row of a record with references as identifiers, including
  /// references to rows that are not in this database.
  func wirePulled(_ row: FieldValues, of record: TrackedRecord) throws -> FieldValues {
    var fields = try wire(row, of: record.table)
    let waiting = try db.fetchAll(
      """
      SELECT column_name, identifier FROM sync_unresolved
      WHERE record_id = \(record.recordID) AND isPulled = 1
      """
    ) { row in (column: ExactString(try row[0]), identifier: try row[1] as String) }
    for (column, identifier) in waiting where fields[column] == .null {
      fields[column] = .text(identifier)
    }
    return fields
  }

  /// Resolves the references to a row that has arrived.
  func resolveReferences(to record: TrackedRecord, _ identifier: DataIdentifier) throws {
    let waiting = try db.fetchAll(
      """
      SELECT record_id, column_name, isPulled FROM sync_unresolved
      WHERE table_name = \(record.table.name) AND identifier = \(identifier.text)
      """
    ) { row in
      (
        recordID: try row[0] as Int64, column: ExactString(try row[1]), isPulled: try row[2] as Bool
      )
    }
    guard !waiting.isEmpty, let key = try key(of: identifier, in: record.table) else { return }
    for (recordID, column, isPulled) in waiting {
      guard let child = try self.record(recordID) else { continue }
      do {
        try refusing { try resolve(isPulled ? column : nil, of: child, to: key) }
      } catch is RowRefusal {
        // The reference remains NULL, and is resolved when the row is pulled again.
        continue
      }
    }
  }

  /// Rebuilds a row with a reference to a row that has arrived.
  ///
  /// - Parameter column: the column of the pulled row that contains the reference, or `nil` if an
  ///   operation contains it.
  private func resolve(
    _ column: ExactString?, of child: TrackedRecord, to key: SyncValue
  ) throws {
    try materialise(child)
    var base = try pulledRow(child)
    if let column {
      if base?[column] == .null { base?[column] = key }
      try removePulled(column, of: child)
    }
    try rebuild(child, over: base)
  }

  /// Replaces by NULL the references to a row that is about to be deleted, and stores the
  /// identifier of the row.
  ///
  /// If the row arrives again, the references are resolved. The server decides about the referring
  /// rows, and their changes can arrive later. With the old key, the referring rows could meanwhile
  /// refer to another row that gets the key of the deleted row.
  func detachRows(from parent: TrackedRecord) throws {
    try forEachReference(to: parent) { reference, key, name in
      let visible = try visibleRecords(with: key, in: reference)
      // An operation can hide a pulled value, which becomes visible if the operation is not
      // applied.
      let known = Set(visible.map(\.recordID))
      let hidden = try pulledRecords(with: key, in: reference).filter {
        !known.contains($0.recordID)
      }
      for child in visible + hidden where child.recordID != parent.recordID {
        try detach(child, from: name, with: key, in: reference.column)
      }
    }
  }

  /// Replaces by NULL the references of pulled rows to a row that the user has deleted, and stores
  /// the identifier of the deleted row.
  ///
  /// If the server rejects the deletion, the row appears again with another integer key. The
  /// references are then resolved to the new key. This is necessary for pulled rows that the user
  /// has changed or deleted together with the row, because their copies would retain the old key.
  func detachPulledRows(from parent: TrackedRecord) throws {
    try forEachReference(to: parent) { reference, key, name in
      for child in try pulledRecords(with: key, in: reference)
      where child.recordID != parent.recordID {
        do {
          try refusing { try detach(child, from: name, with: key, in: reference.column) }
        } catch is RowRefusal {
          // The user's row still refers to the deleted row, and the column must not be NULL.
          continue
        }
      }
    }
  }

  /// Calls `body` for each column that refers to the table of a row.
  ///
  /// During these calls, references to the row are not resolved.
  private func forEachReference(
    to parent: TrackedRecord, _ body: (Reference, _ key: SyncValue, RowName) throws -> Void
  ) throws {
    guard let key = parent.key, let identifier = parent.dataIdentifier,
      let references = references[ExactString(parent.table.name)]
    else { return }
    let name = RowName(parent.table.name, identifier)
    departing.insert(name)
    defer { departing.remove(name) }
    for reference in references { try body(reference, key, name) }
  }

  /// Sets the reference of a pulled row to NULL, and stores the identifier of the referenced row,
  /// so that the reference can be resolved later.
  private func detach(
    _ child: TrackedRecord, from name: RowName, with key: SyncValue, in column: ExactString
  ) throws {
    try materialise(child)
    var base = try pulledRow(child)
    if base?[column] == key {
      base?[column] = .null
      try addPulled([UnresolvedReference(column: column, target: name)], of: child)
    }
    try rebuild(child, over: base)
  }

  /// Returns the records whose visible rows contain a key in a column.
  private func visibleRecords(
    with key: SyncValue, in reference: Reference
  ) throws -> [TrackedRecord] {
    let table = reference.table
    let keys = try db.fetchAll(
      """
      SELECT \(identifier: table.keyColumn) FROM main.\(identifier: table.name)
      WHERE \(identifier: reference.column.text) = \(key.sql)
      """
    ) { row in (try row[0] as StoredValue).value }
    return try keys.compactMap { try record(of: table, key: $0) }
  }

  /// Returns the records whose copies of the pulled rows contain a key in a column.
  ///
  /// Only records with unsent or unconfirmed operations have such a copy.
  private func pulledRecords(
    with key: SyncValue, in reference: Reference
  ) throws -> [TrackedRecord] {
    let table = reference.table
    let column = table.syncedColumns.first { $0.name.isExactly(reference.column.text) }
    guard let column else { return [] }
    let numbers: [Int64] = try db.fetchAll(
      """
      SELECT record_id FROM \(identifier: table.shadowTable)
      WHERE exists_ AND \(identifier: column.storedName) = \(key.sql)
      """
    ) { row in try row[0] }
    return try numbers.compactMap { try record($0) }
  }
}
