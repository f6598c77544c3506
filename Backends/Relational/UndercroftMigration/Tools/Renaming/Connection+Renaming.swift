import UndercroftCore
public import UndercroftSQLite

extension Connection {
  /// Renames a table, and updates the indexes, triggers, views and foreign keys that mention it.
  /// (`ALTER TABLE … RENAME TO`)
  ///
  /// FTS5 tables whose text is in the table are rebuilt. These FTS5 tables, the indexes and the
  /// triggers retain their names.
  ///
  /// ```swift
  /// try db.renameTable("book", to: "volume")
  /// ```
  ///
  /// - Throws: ``StorageError/Code/misuse`` if there is no such table, if the name is in use, or if
  ///   a part of the schema does not compile before or after the change. In these cases, nothing is
  ///   changed.
  public func renameTable(_ table: String, to name: String) throws {
    let operation = SchemaOperation("rename the table \(quoted(table)) to \(quoted(name))")
    try transaction { db in
      let found = try operation.table(table, in: db)
      if found.name.isExactly(name) { return }
      let check = try SchemaCheck(before: operation, in: db)
      let fullTextTables = try FullTextTable.all(of: table, in: db)
      try db.withLegacyAlterTable(false) { db in
        var current = found.name
        if current.folded == name.folded {
          // SQLite would reject a name that differs only in case as the name of an existing table.
          let other = try db.unusedName("undercroft_migration_name")
          try operation.run(
            "ALTER TABLE main.\(current.quotedIdentifier) RENAME TO \(other.quotedIdentifier)",
            in: db)
          current = other
        }
        try operation.run(
          "ALTER TABLE main.\(current.quotedIdentifier) RENAME TO \(name.quotedIdentifier)", in: db)
      }
      for table in fullTextTables { try table.recreate(as: table.reading(from: name), in: db) }
      try check.requireIntact(after: operation, in: db)
    }
  }

  /// Renames a column, and updates the indexes, triggers, views and foreign keys that mention it.
  /// (`ALTER TABLE … RENAME COLUMN`)
  ///
  /// FTS5 tables whose text is in the column are rebuilt with the new name, and the
  /// triggers that write to them are updated. If a view selects the column without an alias,
  /// the column of the view is renamed as well.
  ///
  /// ```swift
  /// try db.renameColumn("isbn", of: "book", to: "code")
  /// ```
  ///
  /// - Throws: ``StorageError/Code/misuse`` if there is no such column, if the name is in use, or
  ///   if a part of the schema does not compile before or after the change, such as another view
  ///   that uses a renamed column of a view. In these cases, nothing is changed.
  public func renameColumn(_ column: String, of table: String, to name: String) throws {
    let operation = SchemaOperation(
      "rename the column \(quoted(column)) of \(quoted(table)) to \(quoted(name))")
    try transaction { db in
      let found = try operation.table(table, in: db)
      let old = try operation.column(column, of: found, in: db).name
      if old == name { return }
      let check = try SchemaCheck(before: operation, in: db)
      let fullTextTables = try FullTextTable.all(of: table, in: db).filter { $0.needs(column) }
      try db.withLegacyAlterTable(false) { db in
        let alter = "ALTER TABLE main.\(found.name.quotedIdentifier)"
        try operation.run(
          "\(alter) RENAME COLUMN \(old.quotedIdentifier) TO \(name.quotedIdentifier)", in: db,
          suggestion: SchemaOperation.dropSuggestion)
      }
      for table in fullTextTables {
        try table.recreate(as: table.renaming(column, to: name), in: db)
        try table.renameInTriggers(column, to: name, in: db)
      }
      try check.requireIntact(after: operation, in: db)
    }
  }
}
