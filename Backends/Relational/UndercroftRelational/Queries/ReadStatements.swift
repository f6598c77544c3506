import UndercroftSQLite

/// The most frequent statements that read a table, created once for each declaration of a table.
///
/// ``SelectStatement`` builds the `SELECT` of a query with conditions, order or limit, and
/// ``TableStatements`` contains the statements that write rows.
struct ReadStatements: Sendable {
  /// The statement that reads all columns of all rows, sorted by the primary key if there is one.
  let all: SQL
  /// The statement that reads all columns of the row with a given primary key.
  ///
  /// The statement has a placeholder for each column of the key. If the table has no primary key,
  /// the statement finds no row.
  let find: SQL

  /// The indices of the columns of the primary key.
  let keyColumnIndices: [Int]
  /// The type of the primary key, or `nil` if the key is not a single column.
  let keyType: ColumnType?

  init(of table: String, columns: String, _ definitions: [ColumnDefinition]) {
    keyColumnIndices = definitions.indices.filter { definitions[$0].isPrimaryKey }
    keyType = keyColumnIndices.count == 1 ? definitions[keyColumnIndices[0]].type : nil
    let keys = keyColumnIndices.map { definitions[$0].name.quotedIdentifier }
    let select = "SELECT \(columns) FROM \(table)"
    let order = keys.isEmpty ? "" : " ORDER BY \(keys.joined(separator: ", "))"
    all = SQL(unchecked: select + order)
    let condition = keys.map { "\($0) = ?" }.joined(separator: " AND ")
    find = SQL(unchecked: "\(select) WHERE \(condition.isEmpty ? "0" : condition)")
  }
}
