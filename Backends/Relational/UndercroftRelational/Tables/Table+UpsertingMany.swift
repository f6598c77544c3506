public import UndercroftSQLite

// Rows are found as in `upsert(_:on:only:overwritingWithNil:in:)`.

extension Table {
  /// Inserts records or updates their existing rows.
  ///
  /// If one is rejected, nothing is written.
  ///
  /// The parameters are those of ``upsert(_:on:only:overwritingWithNil:in:)``.
  ///
  /// - Throws: A ``BatchElementError`` that names the rejected record.
  public func upsertAll(
    _ records: some Sequence<Record>, on unique: PartialKeyPath<Record>...,
    only columns: PartialKeyPath<Record>..., overwritingWithNil: Bool = true, in db: Connection
  ) throws {
    _ = try writeAll(records, upsert(on: unique, only: columns, overwritingWithNil), in: db)
  }

  /// Inserts records or updates their existing rows, and returns
  /// the records as stored, in the same order.
  ///
  /// Otherwise like ``upsertAll(_:on:only:overwritingWithNil:in:)``.
  public func upsertAllAndFetch(
    _ records: some Sequence<Record>, on unique: PartialKeyPath<Record>...,
    only columns: PartialKeyPath<Record>..., overwritingWithNil: Bool = true, in db: Connection
  ) throws -> [Record] {
    try fetchAll(records, upsert(on: unique, only: columns, overwritingWithNil), in: db)
  }

  /// Inserts records or updates their existing rows, and returns one
  /// value of each row as stored, in the same order:
  /// `upsertAll(authors, on: \.name, returning: \.id, in: db)` returns the keys.
  ///
  /// Otherwise like ``upsertAll(_:on:only:overwritingWithNil:in:)``.
  ///
  /// - Throws: A ``BatchElementError`` that names the rejected record. It
  ///   contains ``StorageError/Code/decodingFailed`` if a stored value is NULL.
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
