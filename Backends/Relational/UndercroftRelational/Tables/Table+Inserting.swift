import UndercroftCore
public import UndercroftSQLite

extension Table {
  /// Inserts a record.
  ///
  /// - Parameters:
  ///   - record: The record to insert.
  ///   - columns: The properties to write, as in `only: \.title, \.rating`. All other columns get
  ///     their default value, or NULL. If no property is passed, all columns are written.
  ///   - db: The connection to write to.
  public func insert(
    _ record: Record, only columns: PartialKeyPath<Record>..., in db: Connection
  ) throws {
    try write(.record(record), .insert(only: try optionalColumnIndices(of: columns)), in: db)
  }

  /// Inserts a record, resolves a conflict as specified, and returns the
  /// number of inserted rows: 0 if the record was skipped.
  ///
  /// - Throws: ``StorageError/Code/misuse`` for ``InsertConflict/replace`` if the
  ///   table has a full-text index and `PRAGMA recursive_triggers` is off.
  @discardableResult
  public func insert(
    _ record: Record, onConflict conflict: InsertConflict, in db: Connection
  ) throws -> Int {
    try write(.record(record), .insert(onConflict: conflict), in: db)
  }

  /// Inserts a record, and returns the record as stored: with its generated key, its defaults and
  /// its computed columns.
  ///
  /// The result does not include changes by triggers that run after the insertion.
  ///
  /// - Parameters:
  ///   - record: The record to insert.
  ///   - columns: The properties to write, as in ``insert(_:only:in:)``.
  ///   - db: The connection to write to.
  public func insertAndFetch(
    _ record: Record, only columns: PartialKeyPath<Record>..., in db: Connection
  ) throws -> Record {
    let only = try optionalColumnIndices(of: columns)
    return try written(try fetch(.record(record), .insert(only: only), in: db))
  }

  /// Inserts a record, resolves a conflict as specified, and returns the record as stored, or `nil`
  /// if the record was skipped.
  ///
  /// - Throws: The same errors as ``insert(_:onConflict:in:)``.
  public func insertAndFetch(
    _ record: Record, onConflict conflict: InsertConflict, in db: Connection
  ) throws -> Record? {
    try fetch(.record(record), .insert(onConflict: conflict), in: db)
  }

  /// Inserts a record, and returns one stored value of the inserted row:
  /// `insert(book, returning: \.id, in: db)` returns the generated key as `Int64`.
  ///
  /// - Parameters:
  ///   - record: The record to insert.
  ///   - columns: The properties to write, as in ``insert(_:only:in:)``.
  ///   - path: The property whose stored value is returned.
  ///   - db: The connection to write to.
  /// - Throws: ``StorageError/Code/decodingFailed`` if the stored value is NULL.
  public func insert<Value: ColumnValue>(
    _ record: Record, only columns: PartialKeyPath<Record>...,
    returning path: KeyPath<Record, Value>, in db: Connection
  ) throws -> Value.Unwrapped {
    let columnIndex = try columnIndex(of: path)
    let insert = RowOperation.insert(only: try optionalColumnIndices(of: columns))
    return try written(
      try fetch(columnIndex, as: Value.Unwrapped.self, of: .record(record), insert, in: db))
  }

  /// Inserts a record, resolves a conflict as specified, and returns one stored value of the
  /// inserted row, or `nil` if the record was skipped.
  ///
  /// - Throws: The same errors as ``insert(_:onConflict:in:)``, and
  ///   ``StorageError/Code/decodingFailed`` if the stored value is NULL.
  public func insert<Value: ColumnValue>(
    _ record: Record, onConflict conflict: InsertConflict,
    returning path: KeyPath<Record, Value>, in db: Connection
  ) throws -> Value.Unwrapped? {
    let columnIndex = try columnIndex(of: path)
    return try fetch(
      columnIndex, as: Value.Unwrapped.self, of: .record(record), .insert(onConflict: conflict),
      in: db)
  }

  /// Returns the stored record that has the values of `record` in the columns of a unique
  /// constraint, or inserts `record` and returns it as stored.
  ///
  /// An existing row is not changed. The search and the insertion are one transaction, so that two
  /// writers never insert the same row twice:
  /// `fetchOrInsert(Author(name: "Ada"), on: \.name, in: db)`.
  ///
  /// - Parameters:
  ///   - record: The record to insert if no row is found.
  ///   - unique: The properties of a unique constraint. If no property is passed, the row is found
  ///     by the primary key.
  ///   - db: The connection to write to.
  /// - Throws: ``StorageError/Code/misuse`` if the columns are not unique, or if the record has a
  ///   `nil` value in one of the columns; ``StorageError/Code/constraintViolated`` if another
  ///   constraint rejects the new row.
  @discardableResult
  public func fetchOrInsert(
    _ record: Record, on unique: PartialKeyPath<Record>..., in db: Connection
  ) throws -> Record {
    try fetchOrInsert(record, target: try target(unique), in: db)
  }

  /// Inserts a record unless a row has the same values in the columns of a unique constraint, and
  /// returns one stored value of the existing or inserted row:
  /// `fetchOrInsert(Author(name: "Ada"), on: \.name, returning: \.id, in: db)`.
  ///
  /// The parameters have the same meaning as in ``fetchOrInsert(_:on:in:)``.
  ///
  /// - Throws: The same errors as ``fetchOrInsert(_:on:in:)``, and
  ///   ``StorageError/Code/decodingFailed`` if the stored value is NULL.
  public func fetchOrInsert<Value: ColumnValue>(
    _ record: Record, on unique: PartialKeyPath<Record>...,
    returning path: KeyPath<Record, Value>, in db: Connection
  ) throws -> Value.Unwrapped {
    try fetchOrInsert(record, target: try target(unique), returning: path, in: db)
  }

  func fetchOrInsert(
    _ record: Record, target: UpsertTarget, in db: Connection
  ) throws -> Record {
    try written(
      try returnedRecord { receive in
        try fetchOrInsert(record, target: target, in: db, receive)
      })
  }

  func fetchOrInsert<Value: ColumnValue>(
    _ record: Record, target: UpsertTarget, returning path: KeyPath<Record, Value>,
    in db: Connection
  ) throws -> Value.Unwrapped {
    let values = try returnedValues(of: path) { receive in
      try fetchOrInsert(record, target: target, in: db, receive)
    }
    return try written(values.first)
  }

  private func fetchOrInsert(
    _ record: Record, target: UpsertTarget, in db: Connection,
    _ body: (borrowing Row) throws -> Void
  ) throws {
    try prepareToWrite(in: db)
    let row = RowValues.record(record)
    try target.requireNamed(row, of: self)
    try db.transaction { db in
      if try find(row, by: target.named, in: db, body) { return }
      try write(row, .insert(), in: db, body)
    }
  }
}
