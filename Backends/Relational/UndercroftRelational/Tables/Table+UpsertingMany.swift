public import UndercroftSQLite

// Existing rows are found as in `upsert(_:on:only:overwritingWithNil:in:)`.

extension Table {
  /// Inserts records, or updates the existing rows with the same keys or unique values.
  ///
  /// If one record is rejected, nothing is written.
  ///
  /// The parameters have the same meaning as in ``upsert(_:on:only:overwritingWithNil:in:)``.
  ///
  /// - Throws: A ``BatchElementError`` with the index of the rejected record.
  public func upsertAll(
    _ records: some Sequence<Record>, on unique: PartialKeyPath<Record>...,
    only columns: PartialKeyPath<Record>..., overwritingWithNil: Bool = true, in db: Connection
  ) throws {
    _ = try writeAll(records, upsert(on: unique, only: columns, overwritingWithNil), in: db)
  }

  /// Inserts records, or updates the existing rows with the same keys or unique values, and returns
  /// the records as stored, in the same order.
  ///
  /// Apart from the result, the method is equivalent to
  /// ``upsertAll(_:on:only:overwritingWithNil:in:)``.
  public func upsertAllAndFetch(
    _ records: some Sequence<Record>, on unique: PartialKeyPath<Record>...,
    only columns: PartialKeyPath<Record>..., overwritingWithNil: Bool = true, in db: Connection
  ) throws -> [Record] {
    try fetchAll(records, upsert(on: unique, only: columns, overwritingWithNil), in: db)
  }

  /// Inserts records, or updates the existing rows with the same keys or unique values, and returns
  /// one stored value of each row, in the same order:
  /// `upsertAll(authors, on: \.name, returning: \.id, in: db)` returns the keys.
  ///
  /// Apart from the result, the method is equivalent to
  /// ``upsertAll(_:on:only:overwritingWithNil:in:)``.
  ///
  /// - Throws: A ``BatchElementError`` with the index of the rejected record. If a stored value is
  ///   NULL, the code of the underlying error is ``StorageError/Code/decodingFailed``.
  public func upsertAll<Value: ColumnValue>(
    _ records: some Sequence<Record>, on unique: PartialKeyPath<Record>...,
    only columns: PartialKeyPath<Record>..., overwritingWithNil: Bool = true,
    returning path: KeyPath<Record, Value>, in db: Connection
  ) throws -> [Value.Unwrapped] {
    let upsert = try upsert(on: unique, only: columns, overwritingWithNil)
    return try returnedValues(of: path) { receive in try writeAll(records, upsert, in: db, receive)
    }
  }
}
