public import UndercroftSQLite

extension TableRecord {
  /// Reads the record whose key a property contains:
  /// `try book.related(\.authorID, as: Author.self, in: db)`.
  ///
  /// Each call reads the database, like ``Table/find(_:in:)``, and returns a new value.
  ///
  /// - Returns: The record, or `nil` if the property is `nil` or no record has this key.
  public func related<Related: TableRecord>(
    _ key: KeyPath<Self, some ColumnValue>, as type: Related.Type = Related.self,
    in db: Connection
  ) throws -> Related? {
    let key = self[keyPath: key]
    return try key.sqlValue() == .null ? nil : Related.table.fetchOne(key: key, in: db)
  }
}
