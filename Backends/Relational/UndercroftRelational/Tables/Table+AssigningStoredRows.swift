public import UndercroftSQLite

// Writes of virtual records that are updated with the stored
// row: its generated key, its defaults and its computed columns.

extension Table {
  /// Inserts the values that a virtual record supplies for this table,
  /// and assigns the stored row to the record: `insert(&card, in: db)`.
  @_disfavoredOverload @discardableResult
  public func insert(
    _ record: inout some VirtualRecord, in db: Connection,
    setting assignments: (inout Assignments<Record>) throws -> Void = { _ in }
  ) throws -> Record {
    try prepareToWrite(in: db)
    let row = try shown(by: record, assignments)
    return try kept(
      try takenBack(by: &record) { body in
        try insert(row, in: db) { row in try body(row) }
      })
  }

  /// Updates the row with the key of a virtual record by the values that
  /// the record supplies, and assigns the stored row to the record.
  ///
  /// Returns `nil` if there is no such row.
  @_disfavoredOverload @discardableResult
  public func update(
    _ record: inout some VirtualRecord, in db: Connection,
    setting assignments: (inout Assignments<Record>) throws -> Void = { _ in }
  ) throws -> Record? {
    try prepareToWrite(in: db)
    let row = try shown(by: record, assignments)
    return try takenBack(by: &record) { body in
      try update(row, in: db) { row in try body(row) }
    }
  }

  /// Inserts the row of a virtual record or updates the existing
  /// row, and assigns the stored row to the record.
  @_disfavoredOverload @discardableResult
  public func upsert(
    _ record: inout some VirtualRecord, on unique: PartialKeyPath<Record>...,
    overwritingWithNil: Bool = true, in db: Connection,
    setting assignments: (inout Assignments<Record>) throws -> Void = { _ in }
  ) throws -> Record {
    let target = try target(unique)
    try prepareToWrite(in: db)
    let row = try shown(by: record, assignments, skipsNil: !overwritingWithNil)
    return try kept(
      try takenBack(by: &record) { body in
        try upsert(row, target, overwritingWithNil, in: db) { row in try body(row) }
      })
  }

  private func takenBack(
    by record: inout some VirtualRecord,
    _ write: (_ body: (borrowing Row) throws -> Void) throws -> Void
  ) throws -> Record? {
    var kept: (record: Record, values: ColumnValues)?
    try write { row in
      var values = ColumnValues()
      for (place, column) in definition.columns.enumerated() {
        values[column.name] = try row.value(at: place)
      }
      kept = (try codec.decode(row, 0), values)
    }
    guard let kept else { return nil }
    try record.assign(kept.values, from: definition)
    return kept.record
  }
}
