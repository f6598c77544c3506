public import UndercroftSQLite

extension Table {
  // MARK: One record

  /// Deletes the row with the key of a record, and returns the number of deleted rows.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the table has no primary key, or the record's key is
  ///   `nil`.
  @discardableResult
  public func delete(_ record: Record, in db: Connection) throws -> Int {
    try delete(.record(record), in: db)
  }

  /// Deletes the row with the key of a record, and returns the
  /// deleted record as it was stored, or `nil` if there is no such row.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the table has no primary key, or the record's key is
  ///   `nil`.
  public func deleteAndFetch(_ record: Record, in db: Connection) throws -> Record? {
    try returnedRecord { receive in try delete(.record(record), in: db, receive) }
  }

  /// Deletes the row with the key of a record, and returns one stored value of the deleted row, or
  /// `nil` if there is no such row or the stored value is NULL.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the table has no primary key, or the record's key is
  ///   `nil`.
  public func delete<Value: ColumnValue>(
    _ record: Record, returning path: KeyPath<Record, Value>, in db: Connection
  ) throws -> Value.Unwrapped? {
    try returnedValue(of: path) { receive in try delete(.record(record), in: db, receive) }
  }

  // MARK: Several records

  /// Deletes the rows with the keys of the given records, and returns the number of deleted rows.
  ///
  /// If one deletion fails, no row is deleted.
  ///
  /// - Throws: A ``BatchElementError`` with the index of the record that has no key, or whose row
  ///   is protected by a foreign key.
  @discardableResult
  public func deleteAll(
    _ records: some Sequence<Record>, in db: Connection
  ) throws -> Int {
    try prepareToWrite(in: db)
    return try db.transaction { db in
      var count = 0
      try BatchElementError.forEach(records) { record in
        count += try delete(.record(record), in: db)
      }
      return count
    }
  }

  /// Deletes the rows with the keys of the given records, and returns the deleted records as they
  /// were stored, in the same order.
  ///
  /// Records without a row are omitted from the result. Apart from the result, the method is
  /// equivalent to ``deleteAll(_:in:)``.
  public func deleteAllAndFetch(
    _ records: some Sequence<Record>, in db: Connection
  ) throws -> [Record] {
    try returnedRecords { receive in try deleteAll(records, in: db, receive) }
  }

  /// Deletes the rows with the keys of the given records, and returns one stored value of each
  /// deleted row, in the same order.
  ///
  /// Records without a row are omitted from the result. Apart from the result, the method is
  /// equivalent to ``deleteAll(_:in:)``.
  ///
  /// - Throws: A ``BatchElementError`` as in ``deleteAll(_:in:)``. If a stored value is NULL, the
  ///   code of the underlying error is ``StorageError/Code/decodingFailed``.
  public func deleteAll<Value: ColumnValue>(
    _ records: some Sequence<Record>, returning path: KeyPath<Record, Value>, in db: Connection
  ) throws -> [Value.Unwrapped] {
    try returnedValues(of: path) { receive in try deleteAll(records, in: db, receive) }
  }

  // MARK: Implementation

  func delete(_ row: RowValues<Record>, in db: Connection) throws -> Int {
    try prepareToWrite(in: db)
    try requireKey(of: row)
    return try run(statements.delete, in: db) { try bind(row, statements.keyColumnIndices, to: $0) }
  }

  /// Deletes one row, and calls `body` with the row as it was stored.
  ///
  /// If `body` throws, the row is not deleted.
  func delete(
    _ row: RowValues<Record>, in db: Connection, _ body: (borrowing Row) throws -> Void
  ) throws {
    try prepareToWrite(in: db)
    try requireKey(of: row)
    try runReturning(statements.delete, in: db, body) { statement in
      try bind(row, statements.keyColumnIndices, to: statement)
    }
  }

  private func deleteAll(
    _ records: some Sequence<Record>, in db: Connection, _ body: (borrowing Row) throws -> Void
  ) throws {
    try prepareToWrite(in: db)
    try db.transaction { db in
      try BatchElementError.forEach(records) { record in
        try delete(.record(record), in: db, body)
      }
    }
  }

  /// Runs a statement, and returns the number of changed rows.
  func run(
    _ text: String, in db: Connection, bind: (borrowing Statement) throws -> Void
  ) throws -> Int {
    try db.prepare(SQL(unchecked: text)) { statement in
      try bind(statement)
      return try statement.runCountingChanges()
    }
  }

  /// Runs a statement with a `RETURNING` clause, and calls `body` with each changed row.
  ///
  /// If `body` throws, the statement ends before SQLite checks foreign keys. The transaction then
  /// rolls back the statement.
  func runReturning(
    _ text: String, in db: Connection, _ body: (borrowing Row) throws -> Void,
    bind: (borrowing Statement) throws -> Void
  ) throws {
    try db.transaction { db in
      try db.prepare(SQL(unchecked: text + statements.returning)) { statement in
        try bind(statement)
        try statement.forEach(body)
      }
    }
  }
}
