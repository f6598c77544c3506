public import UndercroftSQLite

extension TableRecord {
  /// Reads the record that a property names by its key: `try book.related(\.authorID, as: Author.self, in: db)`.
  ///
  /// It is what ``Table/find(_:in:)`` would return, read anew by each call: a value, which nobody else changes.
  ///
  /// - Returns: `nil` when the property names none, or there is no such record any more.
  public func related<Related: TableRecord>(
    _ key: KeyPath<Self, some ColumnValue>, as type: Related.Type = Related.self,
    in db: borrowing Connection
  ) throws -> Related? {
    let key = self[keyPath: key]
    return try key.sqlValue() == .null ? nil : Related.table.find(key, in: db)
  }
}
