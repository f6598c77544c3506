public import UndercroftSQLite

// Writes of virtual records. The values that a record supplies are written, columns that
// it does not name remain unchanged, and the stored row is returned. The `setting` closure
// adds columns that the record does not supply, such as the key of a row in another table.

extension Table {
  /// Inserts the values that a virtual record supplies for this
  /// table, and returns the row as stored.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the record names a
  ///   column that the table does not have.
  @_disfavoredOverload @discardableResult
  public func insert(
    _ record: some VirtualRecord, in db: Connection,
    setting assignments: (inout Assignments<Record>) throws -> Void = { _ in }
  ) throws -> Record {
    try prepareToWrite(in: db)
    var kept: Record?
    try insert(shown(by: record, assignments), in: db) { row in kept = try codec.decode(row, 0) }
    return try self.kept(kept)
  }

  /// Inserts the rows of virtual records, and returns them as stored, in the same order.
  ///
  /// If one is rejected, none is inserted.
  ///
  /// - Throws: A ``BatchElementError`` that names the rejected record.
  @_disfavoredOverload @discardableResult
  public func insert(
    contentsOf records: some Sequence<some VirtualRecord>, in db: Connection,
    setting assignments: (inout Assignments<Record>) throws -> Void = { _ in }
  ) throws -> [Record] {
    try prepareToWrite(in: db)
    var kept: [Record] = []
    try db.transaction { db in
      try BatchElementError.forEach(records) { record in
        try insert(shown(by: record, assignments), in: db) { row in
          kept.append(try codec.decode(row, 0))
        }
      }
    }
    return kept
  }

  /// Updates the row with the key of a virtual record by the values that the record
  /// supplies, and returns the row as stored, or `nil` if there is no such row.
  @_disfavoredOverload @discardableResult
  public func update(
    _ record: some VirtualRecord, in db: Connection,
    setting assignments: (inout Assignments<Record>) throws -> Void = { _ in }
  ) throws -> Record? {
    try prepareToWrite(in: db)
    var kept: Record?
    try update(shown(by: record, assignments), in: db) { row in kept = try codec.decode(row, 0) }
    return kept
  }

  /// Inserts the row of a virtual record or updates the existing
  /// row, and returns the row as stored.
  ///
  /// The existing row is found as in ``upsert(_:on:only:overwritingWithNil:in:)``.
  @_disfavoredOverload @discardableResult
  public func upsert(
    _ record: some VirtualRecord, on unique: PartialKeyPath<Record>...,
    overwritingWithNil: Bool = true, in db: Connection,
    setting assignments: (inout Assignments<Record>) throws -> Void = { _ in }
  ) throws -> Record {
    let target = try target(unique)
    try prepareToWrite(in: db)
    let row = try shown(by: record, assignments, skipsNil: !overwritingWithNil)
    return try upserted(row, target, overwritingWithNil, in: db)
  }

  /// Inserts or updates the row of a virtual record with one more column set, as in
  /// `upsert(card, setting: \.authorID, to: author.id, in: db)`, and returns the row as stored.
  @_disfavoredOverload @discardableResult
  public func upsert<Value: ColumnValue>(
    _ record: some VirtualRecord, on unique: PartialKeyPath<Record>...,
    setting path: KeyPath<Record, Value>, to value: Value?, overwritingWithNil: Bool = true,
    in db: Connection
  ) throws -> Record {
    let target = try target(unique)
    try prepareToWrite(in: db)
    let row = try shown(by: record, path, value, skipsNil: !overwritingWithNil)
    return try upserted(row, target, overwritingWithNil, in: db)
  }

  /// Inserts the row of a virtual record with one more column set, as in
  /// `insert(card, setting: \.authorID, to: author.id, in: db)`, and returns the row as stored.
  @_disfavoredOverload @discardableResult
  public func insert<Value: ColumnValue>(
    _ record: some VirtualRecord, setting path: KeyPath<Record, Value>, to value: Value?,
    in db: Connection
  ) throws -> Record {
    try prepareToWrite(in: db)
    var kept: Record?
    try insert(shown(by: record, path, value), in: db) { row in kept = try codec.decode(row, 0) }
    return try self.kept(kept)
  }

  /// Deletes the row with the key that a virtual record supplies,
  /// and returns whether the row existed.
  @_disfavoredOverload @discardableResult
  public func delete(_ record: some VirtualRecord, in db: Connection) throws -> Bool {
    try prepareToWrite(in: db)
    return try delete(shown(by: record, skipsNil: true), in: db)
  }
}
