import UndercroftCore
public import UndercroftSQLite

extension VerticalSplit {
  /// Deletes the record with this key from all tables, and returns the number of deleted records.
  @discardableResult
  public func delete<Key: ColumnValue>(key: Key, in db: Connection) throws -> Int
  where Key.Unwrapped == Key {
    try delete(try key.sqlValue(), in: db)
  }

  /// Deletes the record with this key from all tables, and returns
  /// the record as it was stored, or `nil` if there is no such record.
  public func deleteAndFetch<Key: ColumnValue>(key: Key, in db: Connection) throws -> Record?
  where Key.Unwrapped == Key {
    try deleteAndFetch(try key.sqlValue(), in: db)
  }

  /// Deletes the stored record that has the key of `record` from all tables, and returns the number
  /// of deleted records.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the key of `record` is `nil`.
  @discardableResult
  public func delete(_ record: Record, in db: Connection) throws -> Int {
    try delete(try requireKey(of: table.values(of: record), to: "delete"), in: db)
  }

  /// Deletes the stored record that has the key of `record` from all tables, and returns the record
  /// as it was stored, or `nil` if there is no such record.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the key of `record` is `nil`.
  public func deleteAndFetch(_ record: Record, in db: Connection) throws -> Record? {
    try deleteAndFetch(try requireKey(of: table.values(of: record), to: "delete"), in: db)
  }

  private func delete(_ key: SQLValue, in db: Connection) throws -> Int {
    try db.transaction { db in
      // The row of the first table is deleted last, because other tables can have foreign keys that
      // refer to this row.
      for detail in details {
        _ = try detail.delete([try detail.definition.onlyKey(): key], db)
      }
      return try base.delete([try base.definition.onlyKey(): key], db)
    }
  }

  private func deleteAndFetch(_ key: SQLValue, in db: Connection) throws -> Record? {
    try db.transaction { db in
      let record = try fetchRecord(key, in: db)
      return try delete(key, in: db) == 0 ? nil : record
    }
  }
}
