public import UndercroftSQLite

extension TableRecord {
  /// Reads the record whose key a property contains:
  /// `try book.related(\.authorID, as: Author.self, in: db)`.
  ///
  /// Each call reads the database, like ``Table/find(_:in:)``, and returns a new value.
  ///
  /// - Returns: The record, or `nil` if the property is `nil` or no record has this key.
  public func related<Related: TableRecord, Key: ColumnValue>(
    _ key: KeyPath<Self, Key>, as type: Related.Type = Related.self,
    in db: Connection
  ) throws -> Related? {
    let key = try self[keyPath: key].sqlValue()
    if key == .null { return nil }
    return try Related.table.fetchOne(key: key, of: Key.columnType, in: db)
  }
}
