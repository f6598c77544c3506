public import UndercroftSQLite

// Writes of virtual records. The values that a record supplies are written, and columns for which
// the record supplies no value remain unchanged. The `setting` closure adds columns that the record
// does not supply, such as the key of a row in another table. A record that is passed as `&card`
// receives the row as stored: its generated key, its defaults and its computed columns.

extension Table {
  /// Inserts the values that a virtual record supplies for this table.
  ///
  /// The closure `assignments` sets further columns of the row, such as the key of a row in another
  /// table.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the record supplies a value for a column that the
  ///   table does not have.
  public func insert(
    from record: some VirtualRecord, in db: Connection,
    setting assignments: (inout Assignments<Record>) throws -> Void = { _ in }
  ) throws {
    try write(values(of: record, setting: assignments), .insert(), in: db)
  }

  /// Inserts the values that a virtual record supplies for this
  /// table, and returns the row as stored.
  ///
  /// The closure `assignments` sets further columns of the row, such as the key of a row in another
  /// table.
  public func insertAndFetch(
    from record: some VirtualRecord, in db: Connection,
    setting assignments: (inout Assignments<Record>) throws -> Void = { _ in }
  ) throws -> Record {
    try written(try fetch(values(of: record, setting: assignments), .insert(), in: db))
  }

  /// Inserts the values that a virtual record supplies for this table, and returns one stored value
  /// of the row.
  ///
  /// The closure `assignments` sets further columns of the row, such as the key of a row in another
  /// table.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` if the stored value is NULL.
  public func insert<Value: ColumnValue>(
    from record: some VirtualRecord, returning path: KeyPath<Record, Value>,
    in db: Connection,
    setting assignments: (inout Assignments<Record>) throws -> Void = { _ in }
  ) throws -> Value.Unwrapped {
    let (columnIndex, row) = (
      try columnIndex(of: path), try values(of: record, setting: assignments)
    )
    return try written(try fetch(columnIndex, as: Value.Unwrapped.self, of: row, .insert(), in: db))
  }

  /// Inserts the values that a virtual record supplies for this table,
  /// and assigns the stored row to the record: `insert(from: &card, in: db)`.
  ///
  /// The closure `assignments` sets further columns of the row, such as the key of a row in another
  /// table.
  public func insert(
    from record: inout some VirtualRecord, in db: Connection,
    setting assignments: (inout Assignments<Record>) throws -> Void = { _ in }
  ) throws {
    try write(values(of: record, setting: assignments), .insert(), assigningTo: &record, in: db)
  }

  /// Inserts the rows of virtual records.
  ///
  /// If one record is rejected, no record is inserted.
  ///
  /// The closure `assignments` sets further columns of each row, such as the key of a row in
  /// another table.
  ///
  /// - Throws: A ``BatchElementError`` with the index of the rejected record.
  public func insertAll(
    from records: some Sequence<some VirtualRecord>, in db: Connection,
    setting assignments: (inout Assignments<Record>) throws -> Void = { _ in }
  ) throws {
    try prepareToWrite(in: db)
    try db.transaction { db in
      try BatchElementError.forEach(records) { record in
        try write(values(of: record, setting: assignments), .insert(), in: db)
      }
    }
  }

  /// Inserts the rows of virtual records, and returns the inserted rows as stored, in the same
  /// order.
  ///
  /// Apart from the result, the method is equivalent to ``insertAll(from:in:setting:)``.
  public func insertAllAndFetch(
    from records: some Sequence<some VirtualRecord>, in db: Connection,
    setting assignments: (inout Assignments<Record>) throws -> Void = { _ in }
  ) throws -> [Record] {
    try returnedRecords { receive in try insertAll(from: records, in: db, assignments, receive) }
  }

  /// Inserts the rows of virtual records, and returns one stored value of each row, in the same
  /// order.
  ///
  /// Apart from the result, the method is equivalent to ``insertAll(from:in:setting:)``.
  ///
  /// - Throws: A ``BatchElementError`` with the index of the rejected record. If a stored value is
  ///   NULL, the code of the underlying error is ``StorageError/Code/decodingFailed``.
  public func insertAll<Value: ColumnValue>(
    from records: some Sequence<some VirtualRecord>, returning path: KeyPath<Record, Value>,
    in db: Connection,
    setting assignments: (inout Assignments<Record>) throws -> Void = { _ in }
  ) throws -> [Value.Unwrapped] {
    try returnedValues(of: path) { receive in
      try insertAll(from: records, in: db, assignments, receive)
    }
  }

  private func insertAll(
    from records: some Sequence<some VirtualRecord>, in db: Connection,
    _ assignments: (inout Assignments<Record>) throws -> Void,
    _ body: (borrowing Row) throws -> Void
  ) throws {
    try prepareToWrite(in: db)
    try db.transaction { db in
      try BatchElementError.forEach(records) { record in
        try write(values(of: record, setting: assignments), .insert(), in: db, body)
      }
    }
  }

  /// Updates the row with the key of a virtual record by writing the values that the record
  /// supplies, and returns the number of updated rows.
  ///
  /// The closure `assignments` sets further columns of the row, such as the key of a row in another
  /// table.
  @discardableResult
  public func update(
    from record: some VirtualRecord, in db: Connection,
    setting assignments: (inout Assignments<Record>) throws -> Void = { _ in }
  ) throws -> Int {
    try write(values(of: record, setting: assignments), .update(), in: db)
  }

  /// Updates the row with the key of a virtual record by writing the values that the record
  /// supplies, and returns the row as stored, or `nil` if there is no such row.
  ///
  /// The closure `assignments` sets further columns of the row, such as the key of a row in another
  /// table.
  public func updateAndFetch(
    from record: some VirtualRecord, in db: Connection,
    setting assignments: (inout Assignments<Record>) throws -> Void = { _ in }
  ) throws -> Record? {
    try fetch(values(of: record, setting: assignments), .update(), in: db)
  }

  /// Updates the row with the key of a virtual record by writing the values that the record
  /// supplies, and returns one stored value of the updated row.
  ///
  /// Returns `nil` if there is no such row or the stored value is NULL.
  ///
  /// The closure `assignments` sets further columns of the row, such as the key of a row in another
  /// table.
  public func update<Value: ColumnValue>(
    from record: some VirtualRecord, returning path: KeyPath<Record, Value>,
    in db: Connection,
    setting assignments: (inout Assignments<Record>) throws -> Void = { _ in }
  ) throws -> Value.Unwrapped? {
    let row = try values(of: record, setting: assignments)
    return try returnedValue(of: path) { receive in try write(row, .update(), in: db, receive) }
  }

  /// Updates the row with the key of a virtual record by writing the values that the record
  /// supplies, assigns the stored row to the record, and returns the number of updated rows.
  ///
  /// The closure `assignments` sets further columns of the row, such as the key of a row in another
  /// table.
  @discardableResult
  public func update(
    from record: inout some VirtualRecord, in db: Connection,
    setting assignments: (inout Assignments<Record>) throws -> Void = { _ in }
  ) throws -> Int {
    try write(values(of: record, setting: assignments), .update(), assigningTo: &record, in: db)
  }

  /// Deletes the row with the key that a virtual record supplies,
  /// and returns the number of deleted rows.
  @discardableResult
  public func delete(from record: some VirtualRecord, in db: Connection) throws -> Int {
    try delete(values(of: record, skipsNil: true), in: db)
  }

  /// Deletes the row with the key that a virtual record supplies, and returns the
  /// deleted record as it was stored, or `nil` if there is no such row.
  public func deleteAndFetch(
    from record: some VirtualRecord, in db: Connection
  ) throws -> Record? {
    let row = try values(of: record, skipsNil: true)
    return try returnedRecord { receive in try delete(row, in: db, receive) }
  }

  /// Deletes the row with the key that a virtual record supplies, and returns one stored value of
  /// the deleted row, or `nil` if there is no such row or the stored value is NULL.
  public func delete<Value: ColumnValue>(
    from record: some VirtualRecord, returning path: KeyPath<Record, Value>, in db: Connection
  ) throws -> Value.Unwrapped? {
    let row = try values(of: record, skipsNil: true)
    return try returnedValue(of: path) { receive in try delete(row, in: db, receive) }
  }

  /// Writes one row, assigns the stored row to a record, and
  /// returns the number of rows that were written.
  @discardableResult
  func write(
    _ row: RowValues<Record>, _ operation: RowOperation,
    assigningTo record: inout some VirtualRecord, in db: Connection
  ) throws -> Int {
    var stored = ColumnValues()
    let count = try write(row, operation, in: db) { row in
      for (columnIndex, column) in definition.columns.enumerated() {
        stored[column.name] = try row.value(at: columnIndex)
      }
    }
    if count > 0 { try record.assign(stored, from: definition) }
    return count
  }
}
