import UndercroftCore
public import UndercroftSQLite

extension Table {
  /// Inserts records, and returns the number of inserted records.
  ///
  /// If one record is rejected, no record is inserted.
  ///
  /// - Parameters:
  ///   - records: The records, in the order of their insertion.
  ///   - conflict: The action to perform if a record conflicts with an existing row.
  ///   - db: A connection that can write.
  /// - Throws: A ``BatchElementError`` with the index of the rejected record.
  @discardableResult
  public func insertAll(
    _ records: some Sequence<Record>, onConflict conflict: InsertConflict = .fail,
    in db: Connection
  ) throws -> Int {
    try prepareToWrite(in: db)
    if conflict == .ignore || codec.checks.runsOnInserts {
      return try writeAll(records, .insert(onConflict: conflict), in: db)
    }
    if conflict == .replace { try requireReplacing(in: db) }
    let columnIndices = definition.writtenColumnIndices
    let sql = SQL(
      unchecked: conflict == .fail
        ? definition.insertion
        : DMLBuilder.insert(into: definition, columnIndices, onConflict: conflict))
    // Contiguous records are bound in place, without copying the records.
    let inserted = try records.withContiguousStorageIfAvailable { records in
      try insert(records, by: sql, in: db)
    }
    if let inserted { return inserted }
    return try db.transaction { db in
      try db.prepare(sql) { insert in
        var index = 0
        for record in records {
          do {
            if statements.orderCheck.isActive {
              try insertVerifyingOrder(record, by: sql, in: db)
            } else {
              try codec.bind(record, columnIndices, to: insert)
              try insert.run()
            }
          } catch {
            throw BatchElementError(index: index, underlying: error)
          }
          index += 1
        }
        return index
      }
    }
  }

  private func insert(
    _ records: UnsafeBufferPointer<Record>, by sql: SQL, in db: Connection
  ) throws -> Int {
    let (columnIndices, binders) = (definition.writtenColumnIndices, codec.binds)
    let (start, count) = (UnsafeRawPointer(records.baseAddress), records.count)
    let stride = MemoryLayout<Record>.stride
    try db.transaction { db in
      var verified = 0
      while verified < count, statements.orderCheck.isActive {
        do {
          try insertVerifyingOrder(records[verified], by: sql, in: db)
        } catch {
          throw BatchElementError(index: verified, underlying: error)
        }
        verified += 1
      }
      try db.prepare(sql) { insert in
        guard let start else { return }
        for index in verified..<count {
          do {
            try PropertyBinder.bind(columnIndices, of: start + index * stride, binders, to: insert)
            try insert.run()
          } catch {
            throw BatchElementError(index: index, underlying: error)
          }
        }
      }
    }
    return count
  }

  /// Inserts a record by the statement `sql`, and verifies with the stored row that no two columns
  /// of the table are declared in the wrong order.
  ///
  /// Only the first 16 rows that the program inserts into the table are verified.
  private func insertVerifyingOrder(_ record: Record, by sql: SQL, in db: Connection) throws {
    try db.prepare(sql + SQL(unchecked: statements.returning)) { insert in
      try codec.bind(record, definition.writtenColumnIndices, to: insert)
      try insert.forEach { stored in try verifyOrder(of: stored) }
    }
  }

  /// Inserts records, and returns the records as stored, with their keys, in the same order.
  ///
  /// If one record is rejected, no record is inserted.
  ///
  /// - Throws: A ``BatchElementError`` with the index of the rejected record.
  public func insertAllAndFetch(
    _ records: some Sequence<Record>, in db: Connection
  ) throws -> [Record] {
    try fetchAll(records, .insert(), in: db)
  }

  /// Inserts records, and returns one stored value of each record, in the same order:
  /// `insertAll(books, returning: \.id, in: db)` returns the generated keys.
  ///
  /// If one record is rejected, no record is inserted.
  ///
  /// - Throws: A ``BatchElementError`` with the index of the rejected record. If a stored value is
  ///   NULL, the code of the underlying error is ``StorageError/Code/decodingFailed``.
  public func insertAll<Value: ColumnValue>(
    _ records: some Sequence<Record>, returning path: KeyPath<Record, Value>, in db: Connection
  ) throws -> [Value.Unwrapped] {
    try returnedValues(of: path) { receive in try writeAll(records, .insert(), in: db, receive) }
  }

  /// Inserts each record separately, and returns an error for each rejected record.
  ///
  /// All other records are inserted.
  ///
  /// A record is rejected by a constraint of the schema, by a check of
  /// the table, by a trigger, or because a value cannot be encoded.
  ///
  /// - Throws: An error that concerns the database instead of one record, such as a full disk.
  public func insertEach(
    _ records: some Sequence<Record>, in db: Connection
  ) throws -> [BatchElementError] {
    try prepareToWrite(in: db)
    var rejected: [BatchElementError] = []
    for (index, record) in records.enumerated() {
      do {
        try write(.record(record), .insert(), in: db)
      } catch {
        if let error = error as? StorageError, !error.concernsOneRecord { throw error }
        rejected.append(BatchElementError(index: index, underlying: error))
      }
    }
    return rejected
  }

  // MARK: All operations

  /// Writes records in one transaction, and returns the number of rows that were written.
  func writeAll(
    _ records: some Sequence<Record>, _ operation: RowOperation, in db: Connection
  ) throws -> Int {
    try prepareToWrite(in: db)
    return try db.transaction { db in
      var count = 0
      try BatchElementError.forEach(records) { record in
        count += try write(.record(record), operation, in: db)
      }
      return count
    }
  }

  /// Writes records in one transaction, and calls `body` with each written row as stored.
  func writeAll(
    _ records: some Sequence<Record>, _ operation: RowOperation, in db: Connection,
    _ body: (borrowing Row) throws -> Void
  ) throws {
    try prepareToWrite(in: db)
    try db.transaction { db in
      try BatchElementError.forEach(records) { record in
        try write(.record(record), operation, in: db, body)
      }
    }
  }

  /// Writes records in one transaction, and returns the written rows as stored.
  func fetchAll(
    _ records: some Sequence<Record>, _ operation: RowOperation, in db: Connection
  ) throws -> [Record] {
    try returnedRecords { receive in try writeAll(records, operation, in: db, receive) }
  }
}

extension StorageError {
  /// Whether the error concerns only one record, so that the writes of other records can succeed.
  fileprivate var concernsOneRecord: Bool {
    [.constraintViolated, .encodingFailed, .tooLarge, .vetoed, .decodingFailed].contains(code)
  }
}
