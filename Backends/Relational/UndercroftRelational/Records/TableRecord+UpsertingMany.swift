public import UndercroftSQLite

// The upserts of several records. Each method is equivalent to the method of `Table` with the same
// name.

extension TableRecord {
  /// Inserts records, or updates the existing rows with the same keys or unique values.
  ///
  /// If one record is rejected, nothing is written.
  ///
  /// The parameters have the same meaning as in ``Table/upsert(_:on:only:overwritingWithNil:in:)``.
  ///
  /// - Throws: A ``BatchElementError`` with the index of the rejected record.
  public static func upsertAll(
    _ records: some Sequence<Self>, on unique: PartialKeyPath<Self>...,
    only columns: PartialKeyPath<Self>..., overwritingWithNil: Bool = true, in db: Connection
  ) throws {
    let upsert = try table.upsert(on: unique, only: columns, overwritingWithNil)
    _ = try table.writeAll(records, upsert, in: db)
  }

  /// Inserts records, or updates the existing rows with the same keys or unique values, and returns
  /// the records as stored, in the same order.
  ///
  /// Apart from the result, the method is equivalent to
  /// ``upsertAll(_:on:only:overwritingWithNil:in:)``.
  public static func upsertAllAndFetch(
    _ records: some Sequence<Self>, on unique: PartialKeyPath<Self>...,
    only columns: PartialKeyPath<Self>..., overwritingWithNil: Bool = true, in db: Connection
  ) throws -> [Self] {
    let upsert = try table.upsert(on: unique, only: columns, overwritingWithNil)
    return try table.fetchAll(records, upsert, in: db)
  }

  /// Inserts records, or updates the existing rows with the same keys or unique values, and returns
  /// one stored value of each row, in the same order:
  /// `Author.upsertAll(authors, on: \.name, returning: \.id, in: db)` returns the keys.
  ///
  /// Apart from the result, the method is equivalent to
  /// ``upsertAll(_:on:only:overwritingWithNil:in:)``.
  ///
  /// - Throws: The same errors as ``Table/upsertAll(_:on:only:overwritingWithNil:returning:in:)``.
  public static func upsertAll<Value: ColumnValue>(
    _ records: some Sequence<Self>, on unique: PartialKeyPath<Self>...,
    only columns: PartialKeyPath<Self>..., overwritingWithNil: Bool = true,
    returning path: KeyPath<Self, Value>, in db: Connection
  ) throws -> [Value.Unwrapped] {
    let upsert = try table.upsert(on: unique, only: columns, overwritingWithNil)
    return try table.returnedValues(of: path) { receive in
      try table.writeAll(records, upsert, in: db, receive)
    }
  }

  // MARK: Updating by assignments

  /// Inserts records, or applies assignments to the existing rows with the same keys or unique
  /// values: `Book.upsertAll(books, on: \.isbn, in: db) { $0.copies += $1.copies }`.
  ///
  /// If one record is rejected, nothing is written.
  ///
  /// The parameters have the same meaning as in ``Table/upsertAll(_:on:in:updating:)``.
  public static func upsertAll(
    _ records: some Sequence<Self>, on unique: PartialKeyPath<Self>..., in db: Connection,
    updating assignments: (_ row: inout Assignments<Self>, _ excluded: Columns<Self>) throws -> Void
  ) throws {
    _ = try table.writeAll(records, table.upsert(on: unique, updating: assignments), in: db)
  }

  /// Inserts records, or applies assignments to the existing rows with the same keys or unique
  /// values, and returns the records as stored, in the same order.
  ///
  /// Apart from the result, the method is equivalent to ``upsertAll(_:on:in:updating:)``.
  public static func upsertAllAndFetch(
    _ records: some Sequence<Self>, on unique: PartialKeyPath<Self>..., in db: Connection,
    updating assignments: (_ row: inout Assignments<Self>, _ excluded: Columns<Self>) throws -> Void
  ) throws -> [Self] {
    try table.fetchAll(records, table.upsert(on: unique, updating: assignments), in: db)
  }

  /// Inserts records, or applies assignments to the existing rows with the same keys or unique
  /// values, and returns one stored value of each row, in the same order.
  ///
  /// Apart from the result, the method is equivalent to ``upsertAll(_:on:in:updating:)``.
  ///
  /// - Throws: The same errors as ``Table/upsertAll(_:on:returning:in:updating:)``.
  public static func upsertAll<Value: ColumnValue>(
    _ records: some Sequence<Self>, on unique: PartialKeyPath<Self>...,
    returning path: KeyPath<Self, Value>, in db: Connection,
    updating assignments: (_ row: inout Assignments<Self>, _ excluded: Columns<Self>) throws -> Void
  ) throws -> [Value.Unwrapped] {
    let upsert = try table.upsert(on: unique, updating: assignments)
    return try table.returnedValues(of: path) { receive in
      try table.writeAll(records, upsert, in: db, receive)
    }
  }
}
