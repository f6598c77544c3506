import UndercroftCore
public import UndercroftSQLite

extension Table {
  /// Updates the row with the key of a record, and returns the number
  /// of updated rows: 0 if there is no such row.
  ///
  /// - Parameters:
  ///   - record: The record to write.
  ///   - columns: The properties to write, as in `only: \.rating`. If no property is passed, all
  ///     columns are written.
  ///   - db: The connection to write to.
  /// - Throws: ``StorageError/Code/misuse`` if the table has no primary key, or the record's key is
  ///   `nil`.
  @discardableResult
  public func update(
    _ record: Record, only columns: PartialKeyPath<Record>..., in db: Connection
  ) throws -> Int {
    try write(.record(record), .update(only: try optionalColumnIndices(of: columns)), in: db)
  }

  /// Updates the row with the key of a record, and returns the record
  /// as stored, or `nil` if there is no such row.
  ///
  /// The parameters have the same meaning as in ``update(_:only:in:)``.
  public func updateAndFetch(
    _ record: Record, only columns: PartialKeyPath<Record>..., in db: Connection
  ) throws -> Record? {
    try fetch(.record(record), .update(only: try optionalColumnIndices(of: columns)), in: db)
  }

  /// Updates the row with the key of a record, and returns one stored value of the updated row, or
  /// `nil` if there is no such row or the stored value is NULL.
  ///
  /// The parameters have the same meaning as in ``update(_:only:in:)``.
  public func update<Value: ColumnValue>(
    _ record: Record, only columns: PartialKeyPath<Record>...,
    returning path: KeyPath<Record, Value>, in db: Connection
  ) throws -> Value.Unwrapped? {
    let update = RowOperation.update(only: try optionalColumnIndices(of: columns))
    return try returnedValue(of: path) { receive in
      try write(.record(record), update, in: db, receive)
    }
  }

  // MARK: Several records

  /// Updates the rows with the keys of the given records, and returns the number of updated rows.
  ///
  /// If one update fails, no row is changed.
  ///
  /// - Parameters:
  ///   - records: The records to write.
  ///   - columns: The properties to write. If no property is passed, all columns are written.
  ///   - db: The connection to write to.
  /// - Throws: A ``BatchElementError`` with the index of the rejected record.
  @discardableResult
  public func updateAll(
    _ records: some Sequence<Record>, only columns: PartialKeyPath<Record>...,
    in db: Connection
  ) throws -> Int {
    try writeAll(records, .update(only: try optionalColumnIndices(of: columns)), in: db)
  }

  /// Updates the rows with the keys of the given records, and returns the records as stored, in the
  /// same order.
  ///
  /// Records without a row are omitted from the result. Apart from the result, the method is
  /// equivalent to ``updateAll(_:only:in:)``.
  public func updateAllAndFetch(
    _ records: some Sequence<Record>, only columns: PartialKeyPath<Record>...,
    in db: Connection
  ) throws -> [Record] {
    let update = RowOperation.update(only: try optionalColumnIndices(of: columns))
    return try returnedRecords { receive in try writeAll(records, update, in: db, receive) }
  }

  /// Updates the rows with the keys of the given records, and returns one stored value of each
  /// updated row, in the same order.
  ///
  /// Records without a row are omitted from the result. Apart from the result, the method is
  /// equivalent to ``updateAll(_:only:in:)``.
  ///
  /// - Throws: A ``BatchElementError`` with the index of the rejected record. If a stored value is
  ///   NULL, the code of the underlying error is ``StorageError/Code/decodingFailed``.
  public func updateAll<Value: ColumnValue>(
    _ records: some Sequence<Record>, only columns: PartialKeyPath<Record>...,
    returning path: KeyPath<Record, Value>, in db: Connection
  ) throws -> [Value.Unwrapped] {
    let update = RowOperation.update(only: try optionalColumnIndices(of: columns))
    return try returnedValues(of: path) { receive in try writeAll(records, update, in: db, receive)
    }
  }

  // MARK: Columns of properties

  /// Returns the indices of the columns of these properties, or `nil` if `paths` is empty.
  func optionalColumnIndices(of paths: [PartialKeyPath<Record>]) throws(StorageError) -> [Int]? {
    paths.isEmpty ? nil : try columnIndices(of: paths)
  }

  /// Returns the indices of the columns of these properties.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if a property has no
  ///   column, or if its column is computed.
  func columnIndices(of paths: [PartialKeyPath<Record>]) throws(StorageError) -> [Int] {
    var columnIndices: [Int] = []
    for path in paths {
      guard let columnIndex = codec.names.columnIndex(of: path) else {
        throw undeclared(path, "write")
      }
      if definition.columns[columnIndex].generator != nil {
        throw StorageError.table(
          """
          cannot write the column \(quoted(definition.columns[columnIndex].name)) of the table \
          \(quoted(name)): it is a generated column, whose values SQLite computes
          """,
          suggestion: "remove the property of this column from the list of properties to write")
      }
      if !columnIndices.contains(columnIndex) { columnIndices.append(columnIndex) }
    }
    return columnIndices
  }

  /// Returns the index of the column that stores a property, for a write that returns the stored
  /// value.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the property has no column.
  func columnIndex<Value>(of path: KeyPath<Record, Value>) throws(StorageError) -> Int {
    guard let columnIndex = columns.columnIndex(of: path) else {
      throw undeclared(path, "return the value of")
    }
    return columnIndex
  }

  private func undeclared(_ path: PartialKeyPath<Record>, _ verb: String) -> StorageError {
    .table(
      """
      cannot \(verb) \(codec.names.description(of: path)): no column of the table \
      \(quoted(name)) is declared for this property
      """,
      suggestion: StorageError.columnSuggestion)
  }
}
