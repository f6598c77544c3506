import UndercroftCore
import UndercroftSQLite

/// One of the tables of a vertical split, independent of the type of its records.
struct SplitPart: Sendable {
  let definition: TableDefinition
  /// The closures that write values to this table, and return the key of the row, or `nil` if no
  /// row was written.
  let insert, upsert, update: @Sendable (ColumnValues, Connection) throws -> SQLValue?
  /// The closure that deletes the row with the primary key that the given column values contain,
  /// and returns the number of deleted rows.
  let delete: @Sendable (ColumnValues, Connection) throws -> Int

  init<Record>(_ table: Table<Record>) {
    definition = table.definition
    insert = { values, db in try table.writtenKey(values, .insert(), in: db) }
    upsert = { values, db in
      try table.writtenKey(values, table.upsert(on: [], only: [], true), in: db)
    }
    update = { values, db in try table.writtenKey(values, .update(), in: db) }
    delete = { values, db in try table.delete(from: values, in: db) }
  }

  /// Returns the values of a record for the columns of this table, with `key` in the key column
  /// unless `key` is `nil`.
  func values(_ record: some VirtualRecord, key: SQLValue?) throws -> ColumnValues {
    var values = try record.values(for: definition).restricted(to: definition)
    for column in definition.columns where column.generator != nil { values[column.name] = nil }
    if let key { values[try definition.onlyKey()] = key }
    return values
  }
}

extension Table {
  /// Writes values, and returns the key of the row, or `nil` if no row was written.
  fileprivate func writtenKey(
    _ values: ColumnValues, _ operation: RowOperation, in db: Connection
  ) throws -> SQLValue? {
    _ = try definition.onlyKey()
    let columnIndex = statements.keyColumnIndices[0]
    var key: SQLValue?
    try write(self.values(of: values), operation, in: db) { row in
      key = try row.value(at: columnIndex)
    }
    return key
  }
}
