import UndercroftCore
import UndercroftSQLite

/// One of the tables of a vertical split, independent of the type of its records.
struct SplitPart: Sendable {
  let definition: TableDefinition
  /// Writes values to this table, and returns the key of the row, or `nil` if no row was written.
  let insert, upsert, update: @Sendable (ColumnValues, Connection) throws -> SQLValue?
  let delete: @Sendable (ColumnValues, Connection) throws -> Bool

  init<Record>(_ table: Table<Record>) {
    definition = table.definition
    insert = { values, db in try table.key(of: table.insert(values, in: db)) }
    upsert = { values, db in try table.key(of: table.upsert(values, in: db)) }
    update = { values, db in try table.update(values, in: db).map { try table.key(of: $0) } }
    delete = { values, db in try table.delete(values, in: db) }
  }

  /// Returns the values of a record that belong to this table, with the key if it is known.
  func values(_ record: some VirtualRecord, key: SQLValue?) throws -> ColumnValues {
    var values = try record.values(for: definition).restricted(to: definition)
    for column in definition.columns where column.generator != nil { values[column.name] = nil }
    if let key { values[try definition.onlyKey()] = key }
    return values
  }
}

extension Table {
  fileprivate func key(of record: Record) throws -> SQLValue {
    let name = try definition.onlyKey()
    return try values(of: record)[name] ?? .null
  }
}
