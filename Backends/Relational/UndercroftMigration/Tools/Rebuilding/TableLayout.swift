import UndercroftCore
import UndercroftSQLite

/// The columns of a table, and the columns that identify its rows.
struct TableLayout {
  let columns: [SchemaColumn]
  let isStrict: Bool
  /// A name that refers to the rowid in SQL: the `INTEGER PRIMARY KEY` or `rowid`, `_rowid_` or
  /// `oid`.
  ///
  /// `nil` in a table `WITHOUT ROWID`, and if other columns have all three names of the rowid.
  let rowID: String?
  /// The name of the `INTEGER PRIMARY KEY` that is an alias of
  /// the rowid, or `nil` if there is none.
  let rowIDColumn: String?
  /// The columns of the primary key, in order.
  let key: [String]

  init(of table: String, in db: Connection) throws {
    let columns = try db.columns(of: table)
    self.columns = columns
    let (isWithoutRowID, isStrict) =
      try db.fetchOne(
        "SELECT wr, strict FROM pragma_table_list(\(table)) WHERE schema = 'main'"
      ) { row in (try row[0] as Bool, try row[1] as Bool) } ?? (false, false)
    self.isStrict = isStrict
    key = columns.filter { $0.primaryKeyPosition > 0 }
      .sorted { $0.primaryKeyPosition < $1.primaryKeyPosition }.map(\.name)
    if isWithoutRowID {
      (rowID, rowIDColumn) = (nil, nil)
      return
    }
    let columnNames = Set(columns.map(\.name.folded))
    // A primary key has an index, unless it is an alias of the rowid.
    let hasKeyIndex = try db.fetchValue(
      "SELECT count(*) FROM pragma_index_list(\(table), 'main') WHERE origin = 'pk'", as: Int.self)
    rowIDColumn = key.count == 1 && hasKeyIndex == 0 ? key.first : nil
    rowID = rowIDColumn ?? Self.rowIDNames.first { !columnNames.contains($0) }?.text
  }

  /// The names by which SQL can refer to the hidden rowid,
  /// each valid only in a table without a column of that name.
  static let rowIDNames: [ExactString] = ["rowid", "_rowid_", "oid"]

  func column(_ name: String) -> SchemaColumn? {
    columns.first { $0.name.folded == name.folded }
  }
}
