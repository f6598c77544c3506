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
    // A point may belong to the table's own name.
    let shapes = Statement.aside(
      """
      SELECT schema, name, wr, type = 'virtual' FROM pragma_table_list
      WHERE schema = 'main' AND name = ?1 OR schema || '.' || name = ?1
      """, [name], on: connection
    ) { statement in
      (
        (0...1).map { sqlite3_column_text(statement, $0).map { String(cString: $0) } ?? "" },
        sqlite3_column_int(statement, 2) != 0, sqlite3_column_int(statement, 3) != 0
      )
    }
    guard let (place, hasNoRowID, isVirtual) = shapes.first else { return }
    self.isVirtual = isVirtual
    let found = Statement.aside(
      "SELECT name, pk, hidden FROM pragma_table_xinfo(?2, ?1) ORDER BY cid", place,
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
