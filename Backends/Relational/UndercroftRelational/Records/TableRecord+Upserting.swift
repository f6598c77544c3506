public import UndercroftSQLite

// The upserts of one record. Each method is equivalent to the method of `Table` with the same name.

extension TableRecord {
  /// Inserts the record, or updates the existing row with the same key or unique values.
  ///
  /// The parameters have the same meaning as in ``Table/upsert(_:on:only:overwritingWithNil:in:)``.
  public func upsert(
    on unique: PartialKeyPath<Self>..., only columns: PartialKeyPath<Self>...,
    overwritingWithNil: Bool = true, in db: Connection
  ) throws {
    let upsert = try Self.table.upsert(on: unique, only: columns, overwritingWithNil)
    try Self.table.write(.record(self), upsert, in: db)
  }

  /// Inserts the record, or updates the existing row with the same key or unique values, and
  /// returns the record as stored.
  ///
  /// The parameters have the same meaning as in ``Table/upsert(_:on:only:overwritingWithNil:in:)``.
  public func upsertAndFetch(
    on unique: PartialKeyPath<Self>..., only columns: PartialKeyPath<Self>...,
    overwritingWithNil: Bool = true, in db: Connection
  ) throws -> Self {
    let table = Self.table
    let upsert = try table.upsert(on: unique, only: columns, overwritingWithNil)
    return try table.written(try table.fetch(.record(self), upsert, in: db))
  }

  /// Inserts the record, or updates the existing row with the same key or unique values, and
  /// returns one stored value of the row: `author.upsert(on: \.name, returning: \.id, in: db)`
  /// returns the key.
  ///
  /// The parameters have the same meaning as in ``Table/upsert(_:on:only:overwritingWithNil:in:)``.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` if the stored value is NULL.
  public func upsert<Value: ColumnValue>(
    on unique: PartialKeyPath<Self>..., only columns: PartialKeyPath<Self>...,
    overwritingWithNil: Bool = true, returning path: KeyPath<Self, Value>,
    in db: Connection
  ) throws -> Value.Unwrapped {
    let table = Self.table
    let upsert = try table.upsert(on: unique, only: columns, overwritingWithNil)
    return try table.written(
      try table.fetch(
        table.columnIndex(of: path), as: Value.Unwrapped.self, of: .record(self), upsert, in: db))
  }

  /// Inserts the record, or applies assignments to the existing row with the same key or unique
  /// values: `book.upsert(on: \.isbn, in: db) { $0.copies += $1.copies }`.
  ///
  /// The parameters have the same meaning as in ``Table/upsert(_:on:in:updating:)``.
  public func upsert(
    on unique: PartialKeyPath<Self>..., in db: Connection,
    updating assignments: (_ row: inout Assignments<Self>, _ excluded: Columns<Self>) throws -> Void
  ) throws {
    let upsert = try Self.table.upsert(on: unique, updating: assignments)
    try Self.table.write(.record(self), upsert, in: db)
  }

  /// Inserts the record, or applies assignments to the existing row with the same key or unique
  /// values, and returns the record as stored.
  ///
  /// The parameters have the same meaning as in ``Table/upsert(_:on:in:updating:)``.
  public func upsertAndFetch(
    on unique: PartialKeyPath<Self>..., in db: Connection,
    updating assignments: (_ row: inout Assignments<Self>, _ excluded: Columns<Self>) throws -> Void
  ) throws -> Self {
    let table = Self.table
    let upsert = try table.upsert(on: unique, updating: assignments)
    return try table.written(try table.fetch(.record(self), upsert, in: db))
  }

  /// Inserts the record, or applies assignments to the existing row with the same key or unique
  /// values, and returns one stored value of the row.
  ///
  /// The parameters have the same meaning as in ``Table/upsert(_:on:in:updating:)``.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` if the stored value is NULL.
  public func upsert<Value: ColumnValue>(
    on unique: PartialKeyPath<Self>..., returning path: KeyPath<Self, Value>,
    in db: Connection,
    updating assignments: (_ row: inout Assignments<Self>, _ excluded: Columns<Self>) throws -> Void
  ) throws -> Value.Unwrapped {
    let table = Self.table
    let upsert = try table.upsert(on: unique, updating: assignments)
    return try table.written(
      try table.fetch(
        table.columnIndex(of: path), as: Value.Unwrapped.self, of: .record(self), upsert, in: db))
  }
}
