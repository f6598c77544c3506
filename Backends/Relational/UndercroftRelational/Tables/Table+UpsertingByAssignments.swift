public import UndercroftSQLite

extension Table {
  /// Inserts a record, or updates its existing row by assignments:
  /// `upsert(book, on: \.isbn, in: db) { $0.copies += $1.copies }`.
  ///
  /// The existing row is found as in ``upsert(_:on:only:overwritingWithNil:in:)``. Columns that are
  /// not assigned remain unchanged. The record must satisfy the constraints of a new row, because
  /// SQLite checks them first.
  ///
  /// - Parameters:
  ///   - record: The record to insert.
  ///   - unique: The properties of a unique constraint.
  ///   - assignments: Receives the columns of the existing row, and those of the record (`excluded`
  ///     in SQL), and assigns to the columns of the existing row.
  ///   - db: The connection to write to.
  public func upsert(
    _ record: Record, on unique: PartialKeyPath<Record>..., in db: Connection,
    updating assignments: (_ row: inout Assignments<Record>, _ excluded: Columns<Record>) throws ->
      Void
  ) throws {
    try write(.record(record), upsert(on: unique, updating: assignments), in: db)
  }

  /// Inserts a record, or updates its existing row by assignments,
  /// and returns the record as stored.
  ///
  /// The parameters are those of ``upsert(_:on:in:updating:)``.
  public func upsertAndFetch(
    _ record: Record, on unique: PartialKeyPath<Record>..., in db: Connection,
    updating assignments: (_ row: inout Assignments<Record>, _ excluded: Columns<Record>) throws ->
      Void
  ) throws -> Record {
    try written(try fetch(.record(record), upsert(on: unique, updating: assignments), in: db))
  }

  /// Inserts a record, or updates its existing row by assignments,
  /// and returns one of its values as stored.
  ///
  /// The parameters are those of ``upsert(_:on:in:updating:)``.
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

  /// Inserts records, or updates their existing rows by assignments:
  /// `upsertAll(books, on: \.isbn, in: db) { $0.copies += $1.copies }`.
  ///
  /// If one is rejected, nothing is written. Each record is written after the previous one, so
  /// that two records with the same unique value update one row.
  ///
  /// The parameters are those of ``upsert(_:on:in:updating:)``.
  ///
  /// - Throws: A ``BatchElementError`` that names the rejected record.
  public func upsertAll(
    _ records: some Sequence<Record>, on unique: PartialKeyPath<Record>..., in db: Connection,
    updating assignments: (_ row: inout Assignments<Record>, _ excluded: Columns<Record>) throws ->
      Void
  ) throws {
    _ = try writeAll(records, upsert(on: unique, updating: assignments), in: db)
  }

  /// Inserts records, or updates their existing rows by assignments,
  /// and returns the records as stored, in the same order.
  ///
  /// Otherwise like ``upsertAll(_:on:in:updating:)``.
  public func upsertAllAndFetch(
    _ records: some Sequence<Record>, on unique: PartialKeyPath<Record>..., in db: Connection,
    updating assignments: (_ row: inout Assignments<Record>, _ excluded: Columns<Record>) throws ->
      Void
  ) throws -> [Record] {
    try fetchAll(records, upsert(on: unique, updating: assignments), in: db)
  }

  /// Inserts records, or updates their existing rows by assignments, and
  /// returns one value of each row as stored, in the same order.
  ///
  /// Otherwise like ``upsertAll(_:on:in:updating:)``.
  ///
  /// - Throws: A ``BatchElementError`` that names the rejected record. It
  ///   contains ``StorageError/Code/decodingFailed`` if a stored value is NULL.
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
