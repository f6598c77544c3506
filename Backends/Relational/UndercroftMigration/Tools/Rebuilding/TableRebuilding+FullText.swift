import UndercroftCore
import UndercroftSQLite

extension TableRebuilding {
  /// Drops the indexes and full-text tables that were created
  /// for a table declared in Swift and that use dropped columns.
  ///
  /// - Returns: the remaining full-text tables that must be filled again.
  func dropDeclaredObjects(
    _ copying: TableCopying, in db: Connection
  ) throws -> [FullTextTable] {
    let lost = copying.old.columns.map(\.name).filter { copying.new.column($0) == nil }
    try operation.dropDeclaredFullTextTables(of: table.name, losing: lost, in: db)
    try operation.dropDeclaredIndexes(of: table.name, losing: lost, in: db)
    return try FullTextTable.all(of: table.name, in: db).filter { fullTextTable in
      let columns = fullTextTable.columns + [fullTextTable.rowID].compactMap(\.self)
      return condition != nil || !copying.preservesRowIDs
        || !columns.allSatisfy { copying.unchanged.contains($0.folded) }
    }
  }
}

extension SchemaOperation {
  /// Drops the full-text tables that were created for a table declared in Swift and that need one
  /// of `columns`, and drops the triggers of these full-text tables.
  ///
  /// The caller drops these columns afterwards. When the declared table is next used, the full-text
  /// tables that it still declares are created again.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if any other full-text table needs such a column.
  func dropDeclaredFullTextTables(
    of table: String, losing columns: [String], in db: Connection
  ) throws {
    for fullTextTable in try FullTextTable.all(of: table, in: db) {
      guard let column = columns.first(where: fullTextTable.needs) else { continue }
      let triggers = try fullTextTable.declaredTriggers(in: db)
      if triggers.isEmpty {
        throw failure(
          """
          the full-text table \(quoted(fullTextTable.name)) reads the column \(quoted(column)), so \
          queries of the full-text table could fail without this column
          """,
          suggestion: """
            before this call, drop the full-text table and all triggers that write to it; \
            afterwards, create the dropped objects again and rebuild the full-text index
            """)
      }
      for trigger in triggers { try db.execute("DROP TRIGGER main.\(identifier: trigger.name)") }
      try fullTextTable.drop(in: db)
    }
  }
}
