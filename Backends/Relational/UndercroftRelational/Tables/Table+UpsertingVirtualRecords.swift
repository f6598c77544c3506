public import UndercroftSQLite

// The existing row is found as in `upsert(_:on:only:overwritingWithNil:in:)`.

extension Table {
  /// Inserts the row of a virtual record, or updates the existing row with the same key or unique
  /// values.
  ///
  /// The parameters `unique` and `overwritingWithNil` have the same meaning as in
  /// ``upsert(_:on:only:overwritingWithNil:in:)``. The closure `assignments` sets further columns
  /// of the row.
  ///
  /// - Throws: The same errors as ``upsert(_:on:only:overwritingWithNil:in:)``.
  public func upsert(
    from record: some VirtualRecord, on unique: PartialKeyPath<Record>...,
    overwritingWithNil: Bool = true, in db: Connection,
    setting assignments: (inout Assignments<Record>) throws -> Void = { _ in }
  ) throws {
    let upsert = try upsert(on: unique, only: [], overwritingWithNil)
    try write(
      values(of: record, skipsNil: !overwritingWithNil, setting: assignments), upsert, in: db)
  }

  /// Inserts the row of a virtual record, or updates the existing row with the same key or unique
  /// values, and returns the row as stored.
  ///
  /// The parameters `unique` and `overwritingWithNil` have the same meaning as in
  /// ``upsert(_:on:only:overwritingWithNil:in:)``. The closure `assignments` sets further columns
  /// of the row.
  public func upsertAndFetch(
    from record: some VirtualRecord, on unique: PartialKeyPath<Record>...,
    overwritingWithNil: Bool = true, in db: Connection,
    setting assignments: (inout Assignments<Record>) throws -> Void = { _ in }
  ) throws -> Record {
    let upsert = try upsert(on: unique, only: [], overwritingWithNil)
    let row = try values(of: record, skipsNil: !overwritingWithNil, setting: assignments)
    return try written(try fetch(row, upsert, in: db))
  }

  /// Inserts the row of a virtual record, or updates the existing row with the same key or unique
  /// values, and returns one stored value of the row:
  /// `upsert(from: card, on: \.name, returning: \.id, in: db)`.
  ///
  /// The parameters `unique` and `overwritingWithNil` have the same meaning as in
  /// ``upsert(_:on:only:overwritingWithNil:in:)``. The closure `assignments` sets further columns
  /// of the row.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` if the stored value is NULL.
  public func upsert<Value: ColumnValue>(
    from record: some VirtualRecord, on unique: PartialKeyPath<Record>...,
    overwritingWithNil: Bool = true, returning path: KeyPath<Record, Value>,
    in db: Connection,
    setting assignments: (inout Assignments<Record>) throws -> Void = { _ in }
  ) throws -> Value.Unwrapped {
    let upsert = try upsert(on: unique, only: [], overwritingWithNil)
    let row = try values(of: record, skipsNil: !overwritingWithNil, setting: assignments)
    let columnIndex = try columnIndex(of: path)
    return try written(try fetch(columnIndex, as: Value.Unwrapped.self, of: row, upsert, in: db))
  }

  /// Inserts the row of a virtual record, or updates the existing row with the same key or unique
  /// values, and assigns the stored row to the record.
  ///
  /// The parameters `unique` and `overwritingWithNil` have the same meaning as in
  /// ``upsert(_:on:only:overwritingWithNil:in:)``. The closure `assignments` sets further columns
  /// of the row.
  public func upsert(
    from record: inout some VirtualRecord, on unique: PartialKeyPath<Record>...,
    overwritingWithNil: Bool = true, in db: Connection,
    setting assignments: (inout Assignments<Record>) throws -> Void = { _ in }
  ) throws {
    let upsert = try upsert(on: unique, only: [], overwritingWithNil)
    let row = try values(of: record, skipsNil: !overwritingWithNil, setting: assignments)
    try write(row, upsert, assigningTo: &record, in: db)
  }
}
