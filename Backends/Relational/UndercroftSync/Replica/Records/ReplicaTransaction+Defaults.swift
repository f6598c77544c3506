import UndercroftCore
import UndercroftSQLite

extension ReplicaTransaction {
  /// Returns the values of the columns that a pulled row does not have, because no replica has
  /// written them since they were added to the table.
  ///
  /// Without them, a value that this replica wrote and that lost would remain visible here. A
  /// column whose default is an expression is left out, because each replica would compute another
  /// value.
  func missingValues(in fields: FieldValues, of table: CapturedTable) throws -> FieldValues {
    let missing = table.syncedColumns.filter { fields[ExactString($0.name)] == nil }
    guard !missing.isEmpty else { return [:] }
    let defaults = try defaultValues(of: table)
    return missing.reduce(into: [:]) { values, column in
      values[ExactString(column.name)] = defaults[ExactString(column.name)]
    }
  }

  /// Returns the constant values that the columns of a table have in rows that do not name them.
  private func defaultValues(of table: CapturedTable) throws -> FieldValues {
    if let known = defaults[table.tableID] { return known }
    var values: FieldValues = [:]
    for column in try db.columns(of: table.name) {
      guard let sql = column.defaultValue else {
        values[ExactString(column.name)] = .null
        continue
      }
      guard !sql.contains("("), !sql.uppercased().hasPrefix("CURRENT_") else { continue }
      let stored: StoredValue = try db.fetchValue("SELECT \(SQL(unchecked: sql))")
      values[ExactString(column.name)] = stored.value
    }
    defaults[table.tableID] = values
    return values
  }
}
