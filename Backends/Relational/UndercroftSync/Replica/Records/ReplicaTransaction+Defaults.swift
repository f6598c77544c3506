import UndercroftCore
import UndercroftSQLite

extension ReplicaTransaction {
  /// Returns the default values of the columns that a row of the server does not have, because no
  /// replica has written them since they were added to the table.
  ///
  /// Without these defaults, a value that this replica wrote and that the server discarded would
  /// remain visible in this database. A default that is an expression counts as NULL, because each
  /// replica would compute another value. A `NOT NULL` column without a constant default is left
  /// out.
  func missingValues(in fields: FieldValues, of table: CapturedTable) throws -> FieldValues {
    let missing = table.syncedColumns.filter { fields[ExactString($0.name)] == nil }
    guard !missing.isEmpty else { return [:] }
    let defaults = try defaultValues(of: table)
    return missing.reduce(into: [:]) { values, column in
      values[ExactString(column.name)] = defaults[ExactString(column.name)]
    }
  }

  /// Returns the value that each column of a table gets if a row of the server does not contain the
  /// column.
  private func defaultValues(of table: CapturedTable) throws -> FieldValues {
    if let known = defaults[table.tableID] { return known }
    // The default of a reference would be a key of this database.
    let references = Set(
      table.syncedColumns.filter { $0.role == .reference }.map { ExactString($0.name) })
    var values: FieldValues = [:]
    for column in try db.columns(of: table.name) {
      let name = ExactString(column.name)
      let isConstant = !references.contains(name)
      let definition = isConstant ? column.defaultValue : nil
      if let value = try definition.flatMap({ try SyncSchema.constant($0, in: db) }) {
        values[name] = value
      } else if !column.isRequired {
        values[name] = .null
      }
    }
    defaults[table.tableID] = values
    return values
  }
}
