import UndercroftCore
public import UndercroftSQLite

extension Connection {
  /// Gives a table another name; indexes, triggers, views and foreign keys that mention it follow. (`ALTER TABLE … RENAME TO`)
  ///
  /// FTS5 tables that take their texts from it are made anew, keeping their own names. Indexes and triggers keep theirs as well.
  ///
  /// ```swift
  /// try db.renameTable("book", to: "volume")
  /// ```
  ///
  /// - Throws: ``StorageError/Code/misuse`` when there is no such table, when the name is taken, and when something in the schema does not
  ///   compile before or afterwards; nothing is changed then.
  public func renameTable(_ table: String, to name: String) throws {
    let work = SchemaWork("rename the table \(quoted(table)) to \(quoted(name))")
    try transaction { db in
      let found = try work.table(table, in: db)
      if found.name.isExactly(name) { return }
      let check = try SchemaCheck(before: work, in: db)
      let words = try FullTextTable.all(of: table, in: db)
      try db.withLegacyAlterTable(false) { db in
        var present = found.name
        if present.folded == name.folded {
          // SQLite takes it for the name of another table.
          let other = try db.unusedName("undercroft_migration_name")
          try work.run("ALTER TABLE main.\(present.asName) RENAME TO \(other.asName)", in: db)
          present = other
        }
        try work.run("ALTER TABLE main.\(present.asName) RENAME TO \(name.asName)", in: db)
      }
      for words in words { try words.remake(as: words.taking(from: name), in: db) }
      try check.requireWhole(after: work, in: db)
    }
  }

  /// Gives a column another name; indexes, triggers, views and foreign keys that mention it follow. (`ALTER TABLE … RENAME COLUMN`)
  ///
  /// FTS5 tables that take their texts from it are made anew with the new name, in the triggers that write to them as well. A view that
  /// shows the column under its own name shows it under the new one.
  ///
  /// ```swift
  /// try db.renameColumn("isbn", of: "book", to: "code")
  /// ```
  ///
  /// - Throws: ``StorageError/Code/misuse`` when there is no such column, when the name is taken, and when something in the schema does not
  ///   compile before or afterwards, such as a view of that view; nothing is changed then.
  public func renameColumn(_ column: String, of table: String, to name: String) throws {
    let work = SchemaWork(
      "rename the column \(quoted(column)) of \(quoted(table)) to \(quoted(name))")
    try transaction { db in
      let found = try work.table(table, in: db)
      let old = try work.column(column, of: found, in: db).name
      if old == name { return }
      let check = try SchemaCheck(before: work, in: db)
      let words = try FullTextTable.all(of: table, in: db).filter { $0.needs(column) }
      try db.withLegacyAlterTable(false) { db in
        let alter = "ALTER TABLE main.\(found.name.asName)"
        try work.run(
          "\(alter) RENAME COLUMN \(old.asName) TO \(name.asName)", in: db,
          cure: SchemaWork.dropBefore)
      }
      for words in words {
        try words.remake(as: words.renaming(column, to: name), in: db)
        try words.renameInTriggers(column, to: name, in: db)
      }
      try check.requireWhole(after: work, in: db)
    }
  }
}
