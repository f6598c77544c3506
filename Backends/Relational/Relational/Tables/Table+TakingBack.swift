public import UndercroftSQLite

// The same for a record that takes back what is kept of it: the key it was given, defaults, computed columns.

extension Table {
  /// Inserts the part of a record that it shows, and lets it take the row as it is kept: `insert(&card, in: db)`.
  @_disfavoredOverload @discardableResult
  public func insert(
    _ record: inout some VirtualRecord, in db: borrowing Connection,
    setting assignments: (Columns<Record>) -> [Assignment] = { _ in [] }
  ) throws -> Record {
    try begin(in: db)
    let row = try shown(by: record, assignments)
    return try kept(
      try takenBack(by: &record) { body in
        try insert(row, in: db) { row in try body(row) }
      })
  }

  /// Writes the part of a record that it shows over the row with its key, and lets it take that as it is kept.
  @_disfavoredOverload @discardableResult
  public func update(
    _ record: inout some VirtualRecord, in db: borrowing Connection,
    setting assignments: (Columns<Record>) -> [Assignment] = { _ in [] }
  ) throws -> Record? {
    try begin(in: db)
    let row = try shown(by: record, assignments)
    return try takenBack(by: &record) { body in
      try update(row, in: db) { row in try body(row) }
    }
  }

  /// Inserts what a record shows or changes its row, and lets it take that as it is kept.
  @_disfavoredOverload @discardableResult
  public func upsert(
    _ record: inout some VirtualRecord, on unique: PartialKeyPath<Record>...,
    overwritingWithNil: Bool = true, in db: borrowing Connection,
    setting assignments: (Columns<Record>) -> [Assignment] = { _ in [] }
  ) throws -> Record {
    let target = try target(unique)
    try begin(in: db)
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
    try record.take(kept.values, from: definition)
    return kept.record
  }
}
