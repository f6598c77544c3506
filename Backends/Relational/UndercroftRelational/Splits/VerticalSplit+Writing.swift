import UndercroftCore
public import UndercroftSQLite

// Each operation is one transaction over all tables. The key that the first table generates is the
// key in the other tables. There are no methods with a parameter `returning:`, because no single
// statement writes a whole record and could return its values. `insertAndFetch(_:in:)` reads the
// record from all tables.

extension VerticalSplit {
  /// Inserts a record, with one row in each table.
  public func insert(_ record: Record, in db: Connection) throws {
    _ = try insertAndFetch(record, in: db)
  }

  /// Inserts a record, with one row in each table, and returns the record as stored.
  public func insertAndFetch(_ record: Record, in db: Connection) throws -> Record {
    let values = try table.values(of: record)
    return try written(
      try db.transaction { db in
        let key = try base.insert(try base.values(values, key: nil), db)
        // Another table can still have a row with the new key: a row that remained after a record
        // was deleted.
        for detail in details { _ = try detail.upsert(try detail.values(values, key: key), db) }
        return try fetchRecord(key, in: db)
      })
  }

  /// Inserts records, each with one row in each table.
  ///
  /// If one record is rejected, no record is inserted.
  ///
  /// - Throws: A ``BatchElementError`` with the index of the rejected record.
  public func insertAll(_ records: some Sequence<Record>, in db: Connection) throws {
    _ = try insertAllAndFetch(records, in: db)
  }

  /// Inserts records, each with one row in each table, and returns the records as stored, with
  /// their keys, in the same order.
  ///
  /// Apart from the result, the method is equivalent to ``insertAll(_:in:)``.
  public func insertAllAndFetch(
    _ records: some Sequence<Record>, in db: Connection
  ) throws -> [Record] {
    try db.transaction { db in
      var stored: [Record] = []
      try BatchElementError.forEach(records) { record in
        stored.append(try insertAndFetch(record, in: db))
      }
      return stored
    }
  }

  /// Inserts a record, or updates the stored record that has the same key.
  public func upsert(_ record: Record, in db: Connection) throws {
    _ = try upsertAndFetch(record, in: db)
  }

  /// Inserts a record, or updates the stored record that has the same key, and returns the record
  /// as stored.
  public func upsertAndFetch(_ record: Record, in db: Connection) throws -> Record {
    try written(try write(try table.values(of: record), base.upsert, in: db))
  }

  /// Inserts the values that a virtual record supplies, or updates the stored record that has the
  /// same key.
  ///
  /// Columns that the virtual record does not supply remain unchanged.
  public func upsert(from record: some VirtualRecord, in db: Connection) throws {
    _ = try upsertAndFetch(from: record, in: db)
  }

  /// Inserts the values that a virtual record supplies, or updates the stored record that has the
  /// same key, and returns the whole record as stored.
  ///
  /// Columns that the virtual record does not supply remain unchanged.
  public func upsertAndFetch(
    from record: some VirtualRecord, in db: Connection
  ) throws -> Record {
    try written(try write(record, base.upsert, in: db))
  }

  /// Updates the stored record that has the key of `record`, and returns the number of updated
  /// records.
  @discardableResult
  public func update(_ record: Record, in db: Connection) throws -> Int {
    try updateAndFetch(record, in: db) == nil ? 0 : 1
  }

  /// Updates the stored record that has the key of `record`, and returns the record as stored, or
  /// `nil` if there is no such record.
  public func updateAndFetch(_ record: Record, in db: Connection) throws -> Record? {
    try write(try table.values(of: record), base.update, in: db)
  }

  /// Updates the stored record with the key of a virtual record by writing the values that the
  /// virtual record supplies, and returns the number of updated records.
  ///
  /// Columns that the virtual record does not supply remain unchanged.
  @discardableResult
  public func update(from record: some VirtualRecord, in db: Connection) throws -> Int {
    try updateAndFetch(from: record, in: db) == nil ? 0 : 1
  }

  /// Updates the stored record with the key of a virtual record by writing the values that the
  /// virtual record supplies, and returns the whole record as stored, or `nil` if there is no such
  /// record.
  ///
  /// Columns that the virtual record does not supply remain unchanged.
  public func updateAndFetch(
    from record: some VirtualRecord, in db: Connection
  ) throws -> Record? {
    try db.transaction { db in
      let key = try requireKey(of: record, to: "update")
      // If the values belong only to the other tables, there is no column of the first table to
      // update.
      guard try fetchRecord(key, in: db) != nil else { return nil }
      return try write(record, base.upsert, in: db)
    }
  }

  private func write(
    _ record: some VirtualRecord,
    _ writeBase: (ColumnValues, Connection) throws -> SQLValue?,
    in db: Connection
  ) throws -> Record? {
    let parts = [base.definition] + details.map(\.definition)
    for name in try record.values(for: table.definition).names
    where !parts.contains(where: { $0.column(name) != nil }) {
      let tables = parts.map { quoted($0.name) }.joined(separator: ", ")
      throw StorageError.table(
        """
        cannot write a record of the table \(quoted(table.name)): the record has a value for the \
        column \(quoted(name)), but none of the tables that store the record (\(tables)) has this \
        column
        """,
        suggestion: "declare the column in one of these tables, or write no value for the column")
    }
    return try db.transaction { db in
      guard let key = try writeBase(try base.values(record, key: nil), db) else { return nil }
      for detail in details { _ = try detail.upsert(try detail.values(record, key: key), db) }
      return try fetchRecord(key, in: db)
    }
  }

  /// Returns the record with the given key, or `nil` if there is no such record.
  func fetchRecord(_ key: SQLValue?, in db: Connection) throws -> Record? {
    guard let key else { return nil }
    let column = SQL("\(identifier: try base.definition.onlyKey())")
    return try table.where { _ in Condition("\(column) = \(key)") }.fetchOne(in: db)
  }

  /// Returns the key that a record supplies.
  ///
  /// - Parameter verb: The word after "cannot" in the message of the error.
  /// - Throws: ``StorageError/Code/misuse`` if the key is missing or `nil`.
  func requireKey(of record: some VirtualRecord, to verb: String) throws -> SQLValue {
    let name = try base.definition.onlyKey()
    guard let key = try record.values(for: base.definition)[name], key != .null else {
      throw StorageError.table(
        """
        cannot \(verb) a record of the table \(quoted(table.name)): the record's value for the key \
        column \(quoted(name)) is missing or nil
        """,
        suggestion: StorageError.missingKeySuggestion(name))
    }
    return key
  }

  private func written(_ record: Record?) throws -> Record {
    if let record { return record }
    throw StorageError.table(
      """
      cannot write a record of the table \(quoted(table.name)): after the write, the table \
      \(quoted(base.definition.name)) has no row with the primary key of the record, because a \
      trigger removed the row or changed its primary key
      """,
      suggestion: "find this trigger, and change the trigger or the record", as: .vetoed)
  }
}
