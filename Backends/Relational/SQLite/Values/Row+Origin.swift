import CSQLite

/// The column of a table that the column of a row is read from.
package struct ColumnOrigin {
  let schema: String
  package let table: String
  let column: String
  /// Whether the column is a part of the primary key of the table.
  package let isKey: Bool

  /// Whether both columns are of one table.
  package func isOfTable(of other: ColumnOrigin) -> Bool {
    schema.folded == other.schema.folded && table.folded == other.table.folded
  }
}

extension Row {
  /// Returns where the column at `position` comes from, or `nil` for an expression and for a query of several that are united.
  ///
  /// Of united queries SQLite reports the first, whichever the row is of. (`sqlite3_column_table_name`,
  /// `sqlite3_table_column_metadata`)
  package func origin(at position: Int) -> ColumnOrigin? {
    guard undercroft_sqlite_has_column_metadata() != 0, !isUnited else { return nil }
    let position = Int32(clamping: position)
    guard let schema = sqlite3_column_database_name(statement, position),
      let table = sqlite3_column_table_name(statement, position),
      let column = sqlite3_column_origin_name(statement, position)
    else { return nil }
    var isKey: Int32 = 0
    sqlite3_table_column_metadata(
      sqlite3_db_handle(statement), schema, table, column, nil, nil, nil, &isKey, nil)
    return ColumnOrigin(
      schema: String(cString: schema), table: String(cString: table),
      column: String(cString: column), isKey: isKey != 0)
  }

  private var isUnited: Bool {
    SQLTokens.split(sql).contains { token in
      ["union", "intersect", "except"].contains { token.isWord($0) }
    }
  }
}
