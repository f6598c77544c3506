import UndercroftCore
public import UndercroftSQLite

// The updates and deletions of one row by key. Only one partition is written.

extension PartitionedTable {
  /// Sets columns of the row with this key, and returns the number of updated rows.
  ///
  /// - Throws: ``StorageError/Code/misuse`` for an assignment to the
  ///   primary key, because the key determines the partition of the row.
  @discardableResult
  public func update(
    key: Int64, in db: Connection, _ assignments: (inout Assignments<Record>) throws -> Void
  ) throws -> Int {
    try part(of: key, settingIn: db, assignments).update(key: key, in: db, assignments)
  }

  /// Sets columns of the row with this key, and returns the updated
  /// record as stored, or `nil` if there is no such row.
  ///
  /// - Throws: The same errors as ``update(key:in:_:)``.
  public func updateAndFetch(
    key: Int64, in db: Connection, _ assignments: (inout Assignments<Record>) throws -> Void
  ) throws -> Record? {
    try part(of: key, settingIn: db, assignments).updateAndFetch(key: key, in: db, assignments)
  }

  /// Sets columns of the row with this key, and returns one stored value of the updated row, or
  /// `nil` if there is no such row or the stored value is NULL.
  ///
  /// - Throws: The same errors as ``update(key:in:_:)``.
  public func update<Value: ColumnValue>(
    key: Int64, returning path: KeyPath<Record, Value>, in db: Connection,
    _ assignments: (inout Assignments<Record>) throws -> Void
  ) throws -> Value.Unwrapped? {
    try part(of: key, settingIn: db, assignments)
      .update(key: key, returning: path, in: db, assignments)
  }

  /// Deletes the row with this key, and returns the number of deleted rows.
  @discardableResult
  public func delete(key: Int64, in db: Connection) throws -> Int {
    try prepareToWrite(in: db)
    return try part(of: key).delete(key: key, in: db)
  }

  /// Deletes the row with this key, and returns the deleted
  /// record as it was stored, or `nil` if there is no such row.
  public func deleteAndFetch(key: Int64, in db: Connection) throws -> Record? {
    try prepareToWrite(in: db)
    return try part(of: key).deleteAndFetch(key: key, in: db)
  }

  /// Deletes the row with this key, and returns one stored value of the deleted row, or `nil` if
  /// there is no such row or the stored value is NULL.
  public func delete<Value: ColumnValue>(
    key: Int64, returning path: KeyPath<Record, Value>, in db: Connection
  ) throws -> Value.Unwrapped? {
    try prepareToWrite(in: db)
    return try part(of: key).delete(key: key, returning: path, in: db)
  }

  /// Returns the partition that stores a key, after verifying that the assignments do not set the
  /// key.
  private func part(
    of key: Int64, settingIn db: Connection,
    _ assignments: (inout Assignments<Record>) throws -> Void
  ) throws -> Table<Record> {
    try prepareToWrite(in: db)
    try requireNoKey(try Assignments.collected(by: assignments, of: table))
    return part(of: key)
  }
}
