import CSQLite

/// The table column that supplies the values of a column in the result of a query.
package struct ColumnOrigin {
  let schema: String
  package let table: String
  let column: String
  /// Whether the column is a part of the table's primary key.
  package let isKey: Bool

  /// Returns whether this column and `other` are columns of the same table.
  ///
  /// The case of ASCII letters is ignored.
  package func isOfTable(of other: ColumnOrigin) -> Bool {
    schema.folded == other.schema.folded && table.folded == other.table.folded
  }
}

extension Row {
  /// Returns the table column that supplies the values of the column at `position`, or `nil`
  /// for an expression. (`sqlite3_column_table_name`, `sqlite3_table_column_metadata`)
  ///
  /// For a compound query such as `UNION`, this function returns `nil` as well, because
  /// SQLite reports only the origin in the first query, even for rows of the other queries.
  /// The function also returns `nil` if the SQLite library was built without column metadata.
  package func origin(at position: Int) -> ColumnOrigin? {
    guard undercroft_sqlite_has_column_metadata() != 0, !isCompound else { return nil }
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

  private var isCompound: Bool {
    SQLTokenizer.split(sql).contains { token in
      ["union", "intersect", "except"].contains { token.isWord($0) }
    }
  }
}
