public import UndercroftSQLite

// The writes of virtual records. Each method is equivalent to the method of `Table` with the same
// name.

extension TableRecord {
  /// Inserts the values that a virtual record supplies for the table.
  ///
  /// The closure `assignments` sets further columns of the row, such as the key of a row in another
  /// table.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the record supplies a value for a column that the
  ///   table does not have.
  public static func insert(
    from record: some VirtualRecord, in db: Connection,
    setting assignments: (inout Assignments<Self>) throws -> Void = { _ in }
  ) throws {
    try table.insert(from: record, in: db, setting: assignments)
  }

  /// Inserts the values that a virtual record supplies for the
  /// table, and returns the row as stored.
  ///
  /// The closure `assignments` sets further columns of the row, such as the key of a row in another
  /// table.
  public static func insertAndFetch(
    from record: some VirtualRecord, in db: Connection,
    setting assignments: (inout Assignments<Self>) throws -> Void = { _ in }
  ) throws -> Self {
    try table.insertAndFetch(from: record, in: db, setting: assignments)
  }

  /// Inserts the values that a virtual record supplies for the table, and returns one stored value
  /// of the row.
  ///
  /// The closure `assignments` sets further columns of the row, such as the key of a row in another
  /// table.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` if the stored value is NULL.
  public static func insert<Value: ColumnValue>(
    from record: some VirtualRecord, returning path: KeyPath<Self, Value>,
    in db: Connection,
    setting assignments: (inout Assignments<Self>) throws -> Void = { _ in }
  ) throws -> Value.Unwrapped {
    try table.insert(from: record, returning: path, in: db, setting: assignments)
  }

  /// Inserts the values that a virtual record supplies for the table,
  /// and assigns the stored row to the record: `Book.insert(from: &card, in: db)`.
  ///
  /// The closure `assignments` sets further columns of the row, such as the key of a row in another
  /// table.
  public static func insert(
    from record: inout some VirtualRecord, in db: Connection,
    setting assignments: (inout Assignments<Self>) throws -> Void = { _ in }
  ) throws {
    try table.insert(from: &record, in: db, setting: assignments)
  }

  /// Inserts the rows of virtual records.
  ///
  /// If one record is rejected, no record is inserted.
  ///
  /// The closure `assignments` sets further columns of each row, such as the key of a row in
  /// another table.
  ///
  /// - Throws: A ``BatchElementError`` with the index of the rejected record.
  public static func insertAll(
    from records: some Sequence<some VirtualRecord>, in db: Connection,
    setting assignments: (inout Assignments<Self>) throws -> Void = { _ in }
  ) throws {
    try table.insertAll(from: records, in: db, setting: assignments)
  }

  /// Inserts the rows of virtual records, and returns the inserted rows as stored, in the same
  /// order.
  ///
  /// Apart from the result, the method is equivalent to ``insertAll(from:in:setting:)``.
  public static func insertAllAndFetch(
    from records: some Sequence<some VirtualRecord>, in db: Connection,
    setting assignments: (inout Assignments<Self>) throws -> Void = { _ in }
  ) throws -> [Self] {
    try table.insertAllAndFetch(from: records, in: db, setting: assignments)
  }

  /// Inserts the rows of virtual records, and returns one stored value of each row, in the same
  /// order.
  ///
  /// Apart from the result, the method is equivalent to ``insertAll(from:in:setting:)``.
  ///
  /// - Throws: The same errors as ``Table/insertAll(from:returning:in:setting:)``.
  public static func insertAll<Value: ColumnValue>(
    from records: some Sequence<some VirtualRecord>, returning path: KeyPath<Self, Value>,
    in db: Connection,
    setting assignments: (inout Assignments<Self>) throws -> Void = { _ in }
  ) throws -> [Value.Unwrapped] {
    try table.insertAll(from: records, returning: path, in: db, setting: assignments)
  }

  /// Updates the row with the key of a virtual record by writing the values that the record
  /// supplies, and returns the number of updated rows.
  ///
  /// The closure `assignments` sets further columns of the row, such as the key of a row in another
  /// table.
  @discardableResult
  public static func update(
    from record: some VirtualRecord, in db: Connection,
    setting assignments: (inout Assignments<Self>) throws -> Void = { _ in }
  ) throws -> Int {
    try table.update(from: record, in: db, setting: assignments)
  }

  /// Updates the row with the key of a virtual record by writing the values that the record
  /// supplies, and returns the row as stored, or `nil` if there is no such row.
  ///
  /// The closure `assignments` sets further columns of the row, such as the key of a row in another
  /// table.
  public static func updateAndFetch(
    from record: some VirtualRecord, in db: Connection,
    setting assignments: (inout Assignments<Self>) throws -> Void = { _ in }
  ) throws -> Self? {
    try table.updateAndFetch(from: record, in: db, setting: assignments)
  }

  /// Updates the row with the key of a virtual record by writing the values that the record
  /// supplies, and returns one stored value of the updated row.
  ///
  /// Returns `nil` if there is no such row or the stored value is NULL.
  ///
  /// The closure `assignments` sets further columns of the row, such as the key of a row in another
  /// table.
  public static func update<Value: ColumnValue>(
    from record: some VirtualRecord, returning path: KeyPath<Self, Value>, in db: Connection,
    setting assignments: (inout Assignments<Self>) throws -> Void = { _ in }
  ) throws -> Value.Unwrapped? {
    try table.update(from: record, returning: path, in: db, setting: assignments)
  }

  /// Updates the row with the key of a virtual record by writing the values that the record
  /// supplies, assigns the stored row to the record, and returns the number of updated rows.
  ///
  /// The closure `assignments` sets further columns of the row, such as the key of a row in another
  /// table.
  @discardableResult
  public static func update(
    from record: inout some VirtualRecord, in db: Connection,
    setting assignments: (inout Assignments<Self>) throws -> Void = { _ in }
  ) throws -> Int {
    try table.update(from: &record, in: db, setting: assignments)
  }

  /// Inserts the row of a virtual record, or updates the existing row with the same key or unique
  /// values.
  ///
  /// The parameters `unique` and `overwritingWithNil` have the same meaning as in
  /// ``Table/upsert(_:on:only:overwritingWithNil:in:)``. The closure `assignments` sets further
  /// columns of the row.
  ///
  /// - Throws: The same errors as ``Table/upsert(_:on:only:overwritingWithNil:in:)``.
  public static func upsert(
    from record: some VirtualRecord, on unique: PartialKeyPath<Self>...,
    overwritingWithNil: Bool = true, in db: Connection,
    setting assignments: (inout Assignments<Self>) throws -> Void = { _ in }
  ) throws {
    let upsert = try table.upsert(on: unique, only: [], overwritingWithNil)
    let row = try table.values(of: record, skipsNil: !overwritingWithNil, setting: assignments)
    try table.write(row, upsert, in: db)
  }

  /// Inserts the row of a virtual record, or updates the existing row with the same key or unique
  /// values, and returns the row as stored.
  ///
  /// The parameters `unique` and `overwritingWithNil` have the same meaning as in
  /// ``Table/upsert(_:on:only:overwritingWithNil:in:)``. The closure `assignments` sets further
  /// columns of the row.
  public static func upsertAndFetch(
    from record: some VirtualRecord, on unique: PartialKeyPath<Self>...,
    overwritingWithNil: Bool = true, in db: Connection,
    setting assignments: (inout Assignments<Self>) throws -> Void = { _ in }
  ) throws -> Self {
    let upsert = try table.upsert(on: unique, only: [], overwritingWithNil)
    let row = try table.values(of: record, skipsNil: !overwritingWithNil, setting: assignments)
    return try table.written(try table.fetch(row, upsert, in: db))
  }

  /// Inserts the row of a virtual record, or updates the existing row with the same key or unique
  /// values, and returns one stored value of the row:
  /// `Author.upsert(from: card, on: \.name, returning: \.id, in: db)`.
  ///
  /// The parameters `unique` and `overwritingWithNil` have the same meaning as in
  /// ``Table/upsert(_:on:only:overwritingWithNil:in:)``. The closure `assignments` sets further
  /// columns of the row.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` if the stored value is NULL.
  public static func upsert<Value: ColumnValue>(
    from record: some VirtualRecord, on unique: PartialKeyPath<Self>...,
    overwritingWithNil: Bool = true, returning path: KeyPath<Self, Value>,
    in db: Connection,
    setting assignments: (inout Assignments<Self>) throws -> Void = { _ in }
  ) throws -> Value.Unwrapped {
    let upsert = try table.upsert(on: unique, only: [], overwritingWithNil)
    let row = try table.values(of: record, skipsNil: !overwritingWithNil, setting: assignments)
    return try table.written(
      try table.fetch(
        table.columnIndex(of: path), as: Value.Unwrapped.self, of: row, upsert, in: db))
  }

  /// Inserts the row of a virtual record, or updates the existing row with the same key or unique
  /// values, and assigns the stored row to the record.
  ///
  /// The parameters `unique` and `overwritingWithNil` have the same meaning as in
  /// ``Table/upsert(_:on:only:overwritingWithNil:in:)``. The closure `assignments` sets further
  /// columns of the row.
  public static func upsert(
    from record: inout some VirtualRecord, on unique: PartialKeyPath<Self>...,
    overwritingWithNil: Bool = true, in db: Connection,
    setting assignments: (inout Assignments<Self>) throws -> Void = { _ in }
  ) throws {
    let upsert = try table.upsert(on: unique, only: [], overwritingWithNil)
    let row = try table.values(of: record, skipsNil: !overwritingWithNil, setting: assignments)
    try table.write(row, upsert, assigningTo: &record, in: db)
  }

  /// Deletes the row with the key that a virtual record supplies,
  /// and returns the number of deleted rows.
  @discardableResult
  public static func delete(
    from record: some VirtualRecord, in db: Connection
  ) throws -> Int {
    try table.delete(from: record, in: db)
  }

  /// Deletes the row with the key that a virtual record supplies, and returns the
  /// deleted record as it was stored, or `nil` if there is no such row.
  public static func deleteAndFetch(
    from record: some VirtualRecord, in db: Connection
  ) throws -> Self? {
    try table.deleteAndFetch(from: record, in: db)
  }

  /// Deletes the row with the key that a virtual record supplies, and returns one stored value of
  /// the deleted row, or `nil` if there is no such row or the stored value is NULL.
  public static func delete<Value: ColumnValue>(
    from record: some VirtualRecord, returning path: KeyPath<Self, Value>, in db: Connection
  ) throws -> Value.Unwrapped? {
    try table.delete(from: record, returning: path, in: db)
  }
}
