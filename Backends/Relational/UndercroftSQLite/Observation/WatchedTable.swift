import CSQLite

/// A table whose changes are recorded.
struct WatchedTable {
  /// The name of the table as in the schema.
  ///
  /// If the table is not in the main database, the name of its database precedes the name of the
  /// table: `archive.book`.
  var name: String
  let detail: ChangeDetail
  /// The names of the columns in their order; empty until they have been read from the schema.
  var columns: [String] = []
  /// The positions of the primary-key columns in a table `WITHOUT ROWID`, or `nil` in any other
  /// table.
  var key: [Int]?
  var isVirtual = false
  var hasGenerated = false
  /// Whether a statement has named this table as a table that the statement writes.
  ///
  /// The module of a virtual table writes to tables that the statement does not name.
  var isNamed = false
  /// Whether only a virtual table writes to this table, or `nil` before this is determined.
  var isShadow: Bool?

  /// Whether the columns are known, none of them is generated, and the table is not virtual.
  var hasPlainColumns: Bool { !columns.isEmpty && !hasGenerated && !isVirtual }

  /// Returns whether this table is a shadow table, which stores the content of a virtual table, or
  /// `nil` if the schema cannot be read. (`PRAGMA table_list`)
  ///
  /// Call this function only for a table that no statement names. If such a table no longer exists,
  /// returns `true`, because the table was dropped together with its virtual table.
  func findShadow(on connection: OpaquePointer) -> Bool? {
    Statement.internalQuery(
      """
      SELECT coalesce(max(type <> 'shadow'), 0) FROM pragma_table_list
      WHERE schema = 'main' AND name = ?1 OR schema || '.' || name = ?1
      """, [name], on: connection
    ) { sqlite3_column_int($0, 0) == 0 }.first
  }

  /// Reads the columns, the primary key and the kind of the table from the schema.
  /// (`PRAGMA table_xinfo`, `PRAGMA table_list`)
  mutating func readColumns(from connection: OpaquePointer) {
    // A dot may be part of the table's own name.
    let listed = Statement.internalQuery(
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
    guard let (schemaAndName, hasNoRowID, isVirtual) = listed.first else { return }
    self.isVirtual = isVirtual
    let described = Statement.internalQuery(
      "SELECT name, pk, hidden FROM pragma_table_xinfo(?2, ?1) ORDER BY cid", schemaAndName,
      on: connection
    ) { statement in
      (
        sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "",
        Int(sqlite3_column_int(statement, 1)), sqlite3_column_int(statement, 2) > 1
      )
    }
    columns = described.map(\.0)
    hasGenerated = described.contains { $0.2 }
    key =
      hasNoRowID
      ? described.indices.filter { described[$0].1 > 0 }.sorted {
        described[$0].1 < described[$1].1
      } : nil
  }
}
