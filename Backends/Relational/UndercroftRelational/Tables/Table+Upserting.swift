public import UndercroftSQLite

extension Table {
  /// Inserts a record, or updates the existing row with the same key or unique values.
  ///
  /// The existing row is found by the columns of a unique constraint, as in
  /// `upsert(book, on: \.isbn, in: db)`. If no columns are named, or no row matches the named
  /// columns, the row is found by the primary key. An existing row retains its key, and no row is
  /// deleted. If every column is written and the table has no checks in Swift, the upsert is a
  /// single statement.
  ///
  /// - Parameters:
  ///   - record: The record to write.
  ///   - unique: The properties of a unique constraint.
  ///   - columns: The properties to update in an existing row: `only: \.rating`. If no property is
  ///     passed, all columns are updated, including the columns of properties that still have their
  ///     default value.
  ///   - overwritingWithNil: Whether a `nil` property overwrites the value of an existing row.
  ///   - db: The connection to write to.
  /// - Throws: ``StorageError/Code/misuse`` if the named columns are not a unique constraint, or if
  ///   these columns are `nil` in a record without a key.
  public func upsert(
    _ record: Record, on unique: PartialKeyPath<Record>..., only columns: PartialKeyPath<Record>...,
    overwritingWithNil: Bool = true, in db: Connection
  ) throws {
    let upsert = try upsert(on: unique, only: columns, overwritingWithNil)
    try write(.record(record), upsert, in: db)
  }

  /// Inserts a record, or updates the existing row with the same key or unique values, and returns
  /// the record as stored, with its key.
  ///
  /// The parameters have the same meaning as in ``upsert(_:on:only:overwritingWithNil:in:)``.
  public func upsertAndFetch(
    _ record: Record, on unique: PartialKeyPath<Record>..., only columns: PartialKeyPath<Record>...,
    overwritingWithNil: Bool = true, in db: Connection
  ) throws -> Record {
    let upsert = try upsert(on: unique, only: columns, overwritingWithNil)
    return try written(try fetch(.record(record), upsert, in: db))
  }

  /// Inserts a record, or updates the existing row with the same key or unique values, and returns
  /// one stored value of the row: `upsert(author, on: \.name, returning: \.id, in: db)` returns the
  /// key.
  ///
  /// The parameters have the same meaning as in ``upsert(_:on:only:overwritingWithNil:in:)``.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` if the stored value is NULL.
  public func upsert<Value: ColumnValue>(
    _ record: Record, on unique: PartialKeyPath<Record>..., only columns: PartialKeyPath<Record>...,
    overwritingWithNil: Bool = true, returning path: KeyPath<Record, Value>,
    in db: Connection
  ) throws -> Value.Unwrapped {
    let upsert = try upsert(on: unique, only: columns, overwritingWithNil)
    let columnIndex = try columnIndex(of: path)
    return try written(
      try fetch(columnIndex, as: Value.Unwrapped.self, of: .record(record), upsert, in: db))
  }

  // MARK: Operations
  // The functions below only describe an upsert as a `RowOperation`. `Table.write` in
  // `Table+Writing` runs the operation, `Table+RowStatements` chooses the statements (one upsert,
  // or a lookup of the row and then an insertion or update), and `DMLBuilder.upsert` writes the
  // SQL. For an upsert with assignments, `Table+RowStatements` writes the clause `DO UPDATE SET`.

  func upsert(
    on unique: [PartialKeyPath<Record>], only columns: [PartialKeyPath<Record>],
    _ overwritingWithNil: Bool
  ) throws -> RowOperation {
    .upsert(
      RowOperation.Upsert(
        target: try target(unique), only: try optionalColumnIndices(of: columns),
        overwritingWithNil: overwritingWithNil))
  }

  func upsert(
    on unique: [PartialKeyPath<Record>],
    updating assignments: (inout Assignments<Record>, Columns<Record>) throws -> Void
  ) throws -> RowOperation {
    let excluded = Columns<Record>(names: codec.names, alias: "excluded")
    let converted = try Assignments.collected(by: { try assignments(&$0, excluded) }, of: self)
    return .upsert(RowOperation.Upsert(target: try target(unique), assignments: converted))
  }

  func target(_ paths: [PartialKeyPath<Record>]) throws -> UpsertTarget {
    try UpsertTarget(try columnIndices(of: paths), of: definition, statements)
  }
}
