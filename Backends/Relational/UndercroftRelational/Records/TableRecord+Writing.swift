public import UndercroftSQLite

// The insertions, updates and deletions of one record. Each method is equivalent to the method of
// `Table` with the same name.

extension TableRecord {
  // MARK: Inserting

  /// Inserts the record.
  ///
  /// - Parameters:
  ///   - columns: The properties to write. All other columns get their default value, or NULL. If
  ///     no property is passed, all columns are written.
  ///   - db: The connection to write to.
  public func insert(only columns: PartialKeyPath<Self>..., in db: Connection) throws {
    let table = Self.table
    try table.write(
      .record(self), .insert(only: try table.optionalColumnIndices(of: columns)), in: db)
  }

  /// Inserts the record, resolves a conflict as specified, and returns
  /// the number of inserted rows: 0 if the record was skipped.
  ///
  /// - Throws: The same errors as ``Table/insert(_:onConflict:in:)``.
  @discardableResult
  public func insert(
    onConflict conflict: InsertConflict, in db: Connection
  ) throws -> Int {
    try Self.table.insert(self, onConflict: conflict, in: db)
  }

  /// Inserts the record, and returns the record as stored: with its generated key, its defaults and
  /// its computed columns.
  ///
  /// - Parameters:
  ///   - columns: The properties to write, as in ``insert(only:in:)``.
  ///   - db: The connection to write to.
  public func insertAndFetch(
    only columns: PartialKeyPath<Self>..., in db: Connection
  ) throws -> Self {
    let table = Self.table
    let only = try table.optionalColumnIndices(of: columns)
    return try table.written(try table.fetch(.record(self), .insert(only: only), in: db))
  }

  /// Inserts the record, resolves a conflict as specified, and returns the record as stored, or
  /// `nil` if the record was skipped.
  ///
  /// - Throws: The same errors as ``Table/insert(_:onConflict:in:)``.
  public func insertAndFetch(
    onConflict conflict: InsertConflict, in db: Connection
  ) throws -> Self? {
    try Self.table.insertAndFetch(self, onConflict: conflict, in: db)
  }

  /// Inserts the record, and returns one stored value of the inserted row:
  /// `book.insert(returning: \.id, in: db)` returns the generated key as `Int64`.
  ///
  /// - Parameters:
  ///   - columns: The properties to write, as in ``insert(only:in:)``.
  ///   - path: The property whose stored value is returned.
  ///   - db: The connection to write to.
  /// - Throws: ``StorageError/Code/decodingFailed`` if the stored value is NULL.
  public func insert<Value: ColumnValue>(
    only columns: PartialKeyPath<Self>..., returning path: KeyPath<Self, Value>,
    in db: Connection
  ) throws -> Value.Unwrapped {
    let table = Self.table
    let insert = RowOperation.insert(only: try table.optionalColumnIndices(of: columns))
    return try table.written(
      try table.fetch(
        table.columnIndex(of: path), as: Value.Unwrapped.self, of: .record(self), insert, in: db))
  }

  /// Inserts the record, resolves a conflict as specified, and returns one stored value of the
  /// inserted row, or `nil` if the record was skipped.
  ///
  /// - Throws: The same errors as ``Table/insert(_:onConflict:returning:in:)``.
  public func insert<Value: ColumnValue>(
    onConflict conflict: InsertConflict, returning path: KeyPath<Self, Value>,
    in db: Connection
  ) throws -> Value.Unwrapped? {
    try Self.table.insert(self, onConflict: conflict, returning: path, in: db)
  }

  /// Returns the stored record that has the values of this record in the columns of a unique
  /// constraint, or inserts this record and returns it as stored.
  ///
  /// An existing row is not changed.
  ///
  /// - Throws: The same errors as ``Table/fetchOrInsert(_:on:in:)``.
  @discardableResult
  public func fetchOrInsert(
    on unique: PartialKeyPath<Self>..., in db: Connection
  ) throws -> Self {
    try Self.table.fetchOrInsert(self, target: try Self.table.target(unique), in: db)
  }

  /// Inserts the record unless a row has the same values in the columns of a unique constraint, and
  /// returns one stored value of the existing or inserted row:
  /// `author.fetchOrInsert(on: \.name, returning: \.id, in: db)` returns the key.
  ///
  /// An existing row is not changed.
  ///
  /// - Throws: The same errors as ``Table/fetchOrInsert(_:on:returning:in:)``.
  public func fetchOrInsert<Value: ColumnValue>(
    on unique: PartialKeyPath<Self>..., returning path: KeyPath<Self, Value>, in db: Connection
  ) throws -> Value.Unwrapped {
    let table = Self.table
    return try table.fetchOrInsert(
      self, target: try table.target(unique), returning: path, in: db)
  }

  // MARK: Updating

  /// Updates the row with the key of the record, and returns the number
  /// of updated rows: 0 if there is no such row.
  ///
  /// - Parameters:
  ///   - columns: The properties to write, as in `only: \.rating`. If no property is passed, all
  ///     columns are written.
  ///   - db: The connection to write to.
  /// - Throws: ``StorageError/Code/misuse`` if the table has no primary key, or the record's key is
  ///   `nil`.
  @discardableResult
  public func update(
    only columns: PartialKeyPath<Self>..., in db: Connection
  ) throws -> Int {
    let table = Self.table
    return try table.write(
      .record(self), .update(only: try table.optionalColumnIndices(of: columns)), in: db)
  }

  /// Updates the row with the key of the record, and returns the record
  /// as stored, or `nil` if there is no such row.
  ///
  /// - Parameters:
  ///   - columns: The properties to write, as in ``update(only:in:)``.
  ///   - db: The connection to write to.
  public func updateAndFetch(
    only columns: PartialKeyPath<Self>..., in db: Connection
  ) throws -> Self? {
    let table = Self.table
    return try table.fetch(
      .record(self), .update(only: try table.optionalColumnIndices(of: columns)), in: db)
  }

  /// Updates the row with the key of the record, and returns one stored value of the updated row,
  /// or `nil` if there is no such row or the stored value is NULL.
  ///
  /// - Parameters:
  ///   - columns: The properties to write, as in ``update(only:in:)``.
  ///   - path: The property whose stored value is returned.
  ///   - db: The connection to write to.
  public func update<Value: ColumnValue>(
    only columns: PartialKeyPath<Self>..., returning path: KeyPath<Self, Value>,
    in db: Connection
  ) throws -> Value.Unwrapped? {
    let table = Self.table
    let update = RowOperation.update(only: try table.optionalColumnIndices(of: columns))
    return try table.returnedValue(of: path) { receive in
      try table.write(.record(self), update, in: db, receive)
    }
  }

  // MARK: Deleting

  /// Deletes the row with the key of the record, and returns the number of deleted rows.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the table has no primary key, or the record's key is
  ///   `nil`.
  @discardableResult
  public func delete(in db: Connection) throws -> Int {
    try Self.table.delete(self, in: db)
  }

  /// Deletes the row with the key of the record, and returns the
  /// record as it was stored, or `nil` if there is no such row.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the table has no primary key, or the record's key is
  ///   `nil`.
  public func deleteAndFetch(in db: Connection) throws -> Self? {
    try Self.table.deleteAndFetch(self, in: db)
  }

  /// Deletes the row with the key of the record, and returns one stored value of the deleted row,
  /// or `nil` if there is no such row or the stored value is NULL.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the table has no primary key, or the record's key is
  ///   `nil`.
  public func delete<Value: ColumnValue>(
    returning path: KeyPath<Self, Value>, in db: Connection
  ) throws -> Value.Unwrapped? {
    try Self.table.delete(self, returning: path, in: db)
  }
}
