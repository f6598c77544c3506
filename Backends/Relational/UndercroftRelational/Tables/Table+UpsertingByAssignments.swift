public import UndercroftSQLite

extension Table {
  /// Inserts a record, or applies assignments to the existing row with the same key or unique
  /// values: `upsert(book, on: \.isbn, in: db) { $0.copies += $1.copies }`.
  ///
  /// The existing row is found as in ``upsert(_:on:only:overwritingWithNil:in:)``. Columns that are
  /// not assigned remain unchanged. The record must satisfy the constraints of a new row, because
  /// SQLite checks these constraints first.
  ///
  /// - Parameters:
  ///   - record: The record to insert.
  ///   - unique: The properties of a unique constraint.
  ///   - assignments: A closure that receives the columns of the existing row and the columns of
  ///     the record (`excluded` in SQL), and assigns values to the columns of the existing row.
  ///   - db: The connection to write to.
  public func upsert(
    _ record: Record, on unique: PartialKeyPath<Record>..., in db: Connection,
    updating assignments: (_ row: inout Assignments<Record>, _ excluded: Columns<Record>) throws ->
      Void
  ) throws {
    try write(.record(record), upsert(on: unique, updating: assignments), in: db)
  }

  /// Inserts a record, or applies assignments to the existing row with the same key or unique
  /// values, and returns the record as stored.
  ///
  /// The parameters have the same meaning as in ``upsert(_:on:in:updating:)``.
  public func upsertAndFetch(
    _ record: Record, on unique: PartialKeyPath<Record>..., in db: Connection,
    updating assignments: (_ row: inout Assignments<Record>, _ excluded: Columns<Record>) throws ->
      Void
  ) throws -> Record {
    try written(try fetch(.record(record), upsert(on: unique, updating: assignments), in: db))
  }

  /// Inserts a record, or applies assignments to the existing row with the same key or unique
  /// values, and returns one stored value of the row.
  ///
  /// The parameters have the same meaning as in ``upsert(_:on:in:updating:)``.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` if the stored value is NULL.
  public func upsert<Value: ColumnValue>(
    _ record: Record, on unique: PartialKeyPath<Record>...,
    returning path: KeyPath<Record, Value>, in db: Connection,
    updating assignments: (_ row: inout Assignments<Record>, _ excluded: Columns<Record>) throws ->
      Void
  ) throws -> Value.Unwrapped {
    let upsert = try upsert(on: unique, updating: assignments)
    let columnIndex = try columnIndex(of: path)
    return try written(
      try fetch(columnIndex, as: Value.Unwrapped.self, of: .record(record), upsert, in: db))
  }

  // MARK: Several records

  /// Inserts records, or applies assignments to the existing rows with the same keys or unique
  /// values: `upsertAll(books, on: \.isbn, in: db) { $0.copies += $1.copies }`.
  ///
  /// If one record is rejected, nothing is written. Each record is written after the previous one,
  /// so that two records with the same unique value update one row.
  ///
  /// The parameters have the same meaning as in ``upsert(_:on:in:updating:)``.
  ///
  /// - Throws: A ``BatchElementError`` with the index of the rejected record.
  public func upsertAll(
    _ records: some Sequence<Record>, on unique: PartialKeyPath<Record>..., in db: Connection,
    updating assignments: (_ row: inout Assignments<Record>, _ excluded: Columns<Record>) throws ->
      Void
  ) throws {
    _ = try writeAll(records, upsert(on: unique, updating: assignments), in: db)
  }

  /// Inserts records, or applies assignments to the existing rows with the same keys or unique
  /// values, and returns the records as stored, in the same order.
  ///
  /// Apart from the result, the method is equivalent to ``upsertAll(_:on:in:updating:)``.
  public func upsertAllAndFetch(
    _ records: some Sequence<Record>, on unique: PartialKeyPath<Record>..., in db: Connection,
    updating assignments: (_ row: inout Assignments<Record>, _ excluded: Columns<Record>) throws ->
      Void
  ) throws -> [Record] {
    try fetchAll(records, upsert(on: unique, updating: assignments), in: db)
  }

  /// Inserts records, or applies assignments to the existing rows with the same keys or unique
  /// values, and returns one stored value of each row, in the same order.
  ///
  /// Apart from the result, the method is equivalent to ``upsertAll(_:on:in:updating:)``.
  ///
  /// - Throws: A ``BatchElementError`` with the index of the rejected record. If a stored value is
  ///   NULL, the code of the underlying error is ``StorageError/Code/decodingFailed``.
  public func upsertAll<Value: ColumnValue>(
    _ records: some Sequence<Record>, on unique: PartialKeyPath<Record>...,
    returning path: KeyPath<Record, Value>, in db: Connection,
    updating assignments: (_ row: inout Assignments<Record>, _ excluded: Columns<Record>) throws ->
      Void
  ) throws -> [Value.Unwrapped] {
    let upsert = try upsert(on: unique, updating: assignments)
    return try returnedValues(of: path) { receive in try writeAll(records, upsert, in: db, receive)
    }
  }
}
