import CSQLite

/// A table whose changes are recorded.
struct WatchedTable {
  /// As the schema spells it, with the database before it unless that is the main one.
  var name: String
  let detail: ChangeDetail
  /// Its columns in their order; empty as long as they are not known.
  var columns: [String] = []
  /// The positions of its primary key, in a table without row ids alone.
  var key: [Int]?
  var isVirtual = false
  var hasGenerated = false

  /// Whether its columns are known and none of them is computed from others.
  var hasPlainColumns: Bool { !columns.isEmpty && !hasGenerated && !isVirtual }

  /// Learns the columns. (`PRAGMA table_xinfo`, `PRAGMA table_list`)
  mutating func learn(from connection: OpaquePointer) {
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    let (database, table) = parts.count == 2 ? (parts[0], parts[1]) : ("main", name)
    let isShape = Statement.aside(
      "SELECT wr, type = 'virtual' FROM pragma_table_list WHERE schema = ? AND name = ?",
      [database, table], on: connection
    ) { statement in
      (sqlite3_column_int(statement, 0) != 0, sqlite3_column_int(statement, 1) != 0)
    }
    guard let (hasNoRowID, isVirtual) = isShape.first else { return }
    self.isVirtual = isVirtual
    let found = Statement.aside(
      "SELECT name, pk, hidden FROM pragma_table_xinfo(?2, ?1) ORDER BY cid", [database, table],
      on: connection
    ) { statement in
      (
        sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "",
        Int(sqlite3_column_int(statement, 1)), sqlite3_column_int(statement, 2) > 1
      )
    }
    columns = found.map(\.0)
    hasGenerated = found.contains { $0.2 }
    key =
      hasNoRowID
      ? found.indices.filter { found[$0].1 > 0 }.sorted { found[$0].1 < found[$1].1 } : nil
  }
}
