import UndercroftCore
public import UndercroftSQLite

extension Table {
  /// Inserts records, and returns how many were inserted.
  ///
  /// If one is rejected, none is inserted.
  ///
  /// - Throws: A ``BatchElementError`` that names the rejected record.
  @discardableResult
  public func insert(
    contentsOf records: some Sequence<Record>, onConflict conflict: InsertConflict = .fail,
    in db: Connection
  ) throws -> Int {
    try prepareToWrite(in: db)
    if conflict == .ignore || codec.checks.asksOfInserts {
      var count = 0
      try insertAll(records, conflict, in: db) { _ in count += 1 }
      return count
    }
    let sql = SQL(unchecked: try insertion(conflict, in: db))
    // Contiguous records are bound in place, without copying any.
    let inserted = try records.withContiguousStorageIfAvailable { records in
      try insert(records, by: sql, in: db)
    }
    if let inserted { return inserted }
    let places = definition.writtenPlaces
    return try db.transaction { db in
      try db.prepare(sql) { insert in
        var index = 0
        for record in records {
          do {
            try codec.bind(record, places, to: insert)
            try insert.run()
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
    let (places, binders) = (definition.writtenPlaces, codec.binds)
    let (start, count) = (UnsafeRawPointer(records.baseAddress), records.count)
    let stride = MemoryLayout<Record>.stride
    try db.transaction { db in
      try db.prepare(sql) { insert in
        guard let start else { return }
        for index in 0..<count {
          do {
            try PropertyBinder.bind(places, of: start + index * stride, binders, to: insert)
            try insert.run()
          } catch {
            throw BatchElementError(index: index, underlying: error)
          }
        }
      }
    }
    return count
  }

  /// Inserts records, and returns them as stored, with their keys, in the same order.
  ///
  /// If one is rejected, none is inserted.
  ///
  /// - Throws: A ``BatchElementError`` that names the rejected record.
  public func insert(
    returning records: some Sequence<Record>, in db: Connection
  ) throws -> [Record] {
    try prepareToWrite(in: db)
    var kept: [Record] = []
    try insertAll(records, .fail, in: db) { row in kept.append(try codec.decode(row, 0)) }
    return kept
  }

  /// Inserts each record separately, and returns an error for each rejected record.
  ///
  /// The other records are inserted.
  ///
  /// A record is rejected by a constraint of the schema, by a check of
  /// the table, by a trigger, or because a value cannot be encoded.
  ///
  /// - Throws: An error that concerns the database instead of one record, such as a full disk.
  public func insert(
    eachOf records: some Sequence<Record>, in db: Connection
  ) throws -> [BatchElementError] {
    try prepareToWrite(in: db)
    var refused: [BatchElementError] = []
    for (index, record) in records.enumerated() {
      do {
        try write(statements.insertReturning, .insert, given: record, in: db) {
          insert in
          try codec.bind(record, definition.writtenPlaces, to: insert)
        } _: {
          _ in
        }
      } catch {
        if let error = error as? StorageError, !error.concernsOneRecord { throw error }
        refused.append(BatchElementError(index: index, underlying: error))
      }
    }
    return refused
  }

  private func insertAll(
    _ records: some Sequence<Record>, _ conflict: InsertConflict, in db: Connection,
    _ body: (borrowing Row) throws -> Void
  ) throws {
    let sql = try insertion(conflict, in: db) + statements.returning
    try db.transaction { db in
      try BatchElementError.forEach(records) { record in
        try write(sql, .insert, given: record, in: db) { insert in
          try codec.bind(record, definition.writtenPlaces, to: insert)
        } _: { row in
          try body(row)
        }
      }
    }
  }
}

extension StorageError {
  /// Whether the error concerns only one record, so that other records may succeed.
  fileprivate var concernsOneRecord: Bool {
    [.constraintViolated, .encodingFailed, .tooLarge, .vetoed, .decodingFailed].contains(code)
  }
}
