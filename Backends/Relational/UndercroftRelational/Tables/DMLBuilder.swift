import UndercroftSQLite

/// A builder of the SQL statements that write rows, with a placeholder for each value.
///
/// Columns are given by their indices in the declaration. ``Table`` and ``QueryCommand`` run the
/// statements.
enum DMLBuilder {
  static func insert(
    into table: TableDefinition, _ columnIndices: [Int], onConflict: InsertConflict = .fail,
    rows: Int = 1
  ) -> String {
    let verb = onConflict == .replace ? "INSERT OR REPLACE" : "INSERT"
    if columnIndices.isEmpty {
      let verb = onConflict == .ignore ? "INSERT OR IGNORE" : verb
      return "\(verb) INTO \(table.quotedName) DEFAULT VALUES"
    }
    let row = "(\(columnIndices.map { _ in "?" }.joined(separator: ", ")))"
    let values = Array(repeating: row, count: rows).joined(separator: ", ")
    let end = onConflict == .ignore ? " ON CONFLICT DO NOTHING" : ""
    return
      "\(verb) INTO \(table.quotedName) (\(names(columnIndices, of: table))) VALUES \(values)\(end)"
  }

  /// Returns a statement that inserts a row, or updates the existing row that has the same values
  /// in one of the column sets in `targets`.
  ///
  /// If several sets match, the first matching set applies.
  ///
  /// - Parameters:
  ///   - table: The table to write to.
  ///   - columnIndices: The columns to insert.
  ///   - updating: The columns to update in an existing row.
  ///   - targets: The sets of columns by which an existing row is found.
  static func upsert(
    into table: TableDefinition, _ columnIndices: [Int], updating: [Int], on targets: [[Int]]
  ) -> String {
    // SQL permits no conflict clause after `DEFAULT VALUES`.
    if columnIndices.isEmpty { return insert(into: table, columnIndices) }
    let clauses = targets.map { target in
      let changes =
        updating.isEmpty
        // Sets a column to itself, so that the existing row is returned.
        ? target.prefix(1).map { "\(name($0, of: table)) = \(name($0, of: table))" }
        : updating.map { "\(name($0, of: table)) = excluded.\(name($0, of: table))" }
      return
        " ON CONFLICT (\(names(target, of: table))) DO UPDATE SET \(changes.joined(separator: ", "))"
    }
    return insert(into: table, columnIndices) + clauses.joined()
  }

  static func update(_ table: TableDefinition, _ columnIndices: [Int], where keys: [Int]) -> String
  {
    let changes =
      columnIndices.isEmpty
      ? keys.prefix(1).map { "\(name($0, of: table)) = \(name($0, of: table))" }
      : columnIndices.map { "\(name($0, of: table)) = ?" }
    return
      "UPDATE \(table.quotedName) SET \(changes.joined(separator: ", ")) WHERE \(equal(keys, in: table))"
  }

  static func delete(from table: TableDefinition, where keys: [Int]) -> String {
    "DELETE FROM \(table.quotedName) WHERE \(equal(keys, in: table))"
  }

  /// Returns a condition that is true if each of these columns equals its bound value.
  static func equal(_ columnIndices: [Int], in table: TableDefinition) -> String {
    columnIndices.map { "\(name($0, of: table)) = ?" }.joined(separator: " AND ")
  }

  static func names(_ columnIndices: [Int], of table: TableDefinition) -> String {
    columnIndices.map { name($0, of: table) }.joined(separator: ", ")
  }

  private static func name(_ columnIndex: Int, of table: TableDefinition) -> String {
    table.columns.indices.contains(columnIndex)
      ? table.columns[columnIndex].name.quotedIdentifier : ""
  }
}
