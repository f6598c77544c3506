public import UndercroftSQLite

// Virtual records: what they show is written, what they do not name is left alone, and what is kept comes back. `setting` completes a
// record by what it does not know itself, such as the key of a row in another table.

extension Table {
  /// Inserts the part of a record that it shows to this table, and returns the row as it is kept.
  ///
  /// - Throws: ``StorageError/Code/misuse`` when it names a column that the table does not have.
  @_disfavoredOverload @discardableResult
  public func insert(
    _ record: some VirtualRecord, in db: borrowing Connection,
    setting assignments: (Columns<Record>) -> [Assignment] = { _ in [] }
  ) throws -> Record {
    try begin(in: db)
    var kept: Record?
    try insert(shown(by: record, assignments), in: db) { row in kept = try codec.decode(row, 0) }
    return try self.kept(kept)
  }

  /// Inserts records, all or none, and returns the rows as they are kept, in the same order.
  ///
  /// - Throws: an ``ElementError`` that says which was refused.
  @_disfavoredOverload @discardableResult
  public func insert(
    contentsOf records: some Sequence<some VirtualRecord>, in db: borrowing Connection,
    setting assignments: (Columns<Record>) -> [Assignment] = { _ in [] }
  ) throws -> [Record] {
    try begin(in: db)
    var kept: [Record] = []
    try db.transaction { db in
      try ElementError.forEach(records) { record in
        try insert(shown(by: record, assignments), in: db) { row in
          kept.append(try codec.decode(row, 0))
        }
      }
    }
    return kept
  }

  /// Writes the part of a record that it shows over the row with its key, and returns the row as it is kept; `nil` when there is none.
  @_disfavoredOverload @discardableResult
  public func update(
    _ record: some VirtualRecord, in db: borrowing Connection,
    setting assignments: (Columns<Record>) -> [Assignment] = { _ in [] }
  ) throws -> Record? {
    try begin(in: db)
    var kept: Record?
    try update(shown(by: record, assignments), in: db) { row in kept = try codec.decode(row, 0) }
    return kept
  }

  /// Inserts what a record shows or, where its row is there already, changes that; returns the row as it is kept.
  ///
  /// The row is found as for a whole record.
  @_disfavoredOverload @discardableResult
  public func upsert(
    _ record: some VirtualRecord, on unique: PartialKeyPath<Record>...,
    overwritingWithNil: Bool = true, in db: borrowing Connection,
    setting assignments: (Columns<Record>) -> [Assignment] = { _ in [] }
  ) throws -> Record {
    let target = try target(unique)
    try begin(in: db)
    let row = try shown(by: record, assignments, skipsNil: !overwritingWithNil)
    return try upserted(row, target, overwritingWithNil, in: db)
  }

  /// Does so with one more column set, as in `upsert(card, setting: \.authorID, to: author.id, in: db)`.
  @_disfavoredOverload @discardableResult
  public func upsert<Value: ColumnValue>(
    _ record: some VirtualRecord, on unique: PartialKeyPath<Record>...,
    setting path: KeyPath<Record, Value>, to value: Value?, overwritingWithNil: Bool = true,
    in db: borrowing Connection
  ) throws -> Record {
    let target = try target(unique)
    try begin(in: db)
    let row = try shown(by: record, path, value, skipsNil: !overwritingWithNil)
    return try upserted(row, target, overwritingWithNil, in: db)
  }

  /// Inserts what a record shows with one more column set, as in `insert(card, setting: \.authorID, to: author.id, in: db)`.
  @_disfavoredOverload @discardableResult
  public func insert<Value: ColumnValue>(
    _ record: some VirtualRecord, setting path: KeyPath<Record, Value>, to value: Value?,
    in db: borrowing Connection
  ) throws -> Record {
    try begin(in: db)
    var kept: Record?
    try insert(shown(by: record, path, value), in: db) { row in kept = try codec.decode(row, 0) }
    return try self.kept(kept)
  }

  /// Deletes the row with the key that a record shows, and returns whether there was one.
  @_disfavoredOverload @discardableResult
  public func delete(_ record: some VirtualRecord, in db: borrowing Connection) throws -> Bool {
    try begin(in: db)
    return try delete(shown(by: record, skipsNil: true), in: db)
  }
}
