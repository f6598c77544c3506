import UndercroftCore
import UndercroftSQLite

extension TableRebuilding {
  /// Drops the declared indexes and full-text tables that use dropped columns.
  ///
  /// - Returns: the remaining full-text tables that must be filled again.
  func releaseDeclared(
    _ copying: TableCopying, in db: Connection
  ) throws -> [FullTextTable] {
    let lost = copying.old.columns.map(\.name).filter { copying.new.column($0) == nil }
    try work.release(wordsOf: table.name, losing: lost, in: db)
    try work.release(indexesOf: table.name, losing: lost, in: db)
    return try FullTextTable.all(of: table.name, in: db).filter { words in
      let texts = words.columns + [words.rowID].compactMap(\.self)
      return condition != nil || !copying.keepsNumbers
        || !texts.allSatisfy { copying.unchanged.contains($0.folded) }
    }
  }
}

extension SchemaOperation {
  /// Drops the full-text tables of a declared table, with their triggers, that need a
  /// column which is about to be dropped.
  ///
  /// The declared table creates those that it still declares at its next use.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if no declared table created such a full-text table.
  func release(
    wordsOf table: String, losing columns: [String], in db: Connection
  ) throws {
    for words in try FullTextTable.all(of: table, in: db) {
      guard let column = columns.first(where: words.needs) else { continue }
      let triggers = try words.declaredTriggers(in: db)
      if triggers.isEmpty {
        throw failure(
          "the full-text table \(quoted(words.name)) needs the column \(quoted(column))",
          suggestion: "drop it and its triggers in the step before, and recreate it afterwards")
      }
      for trigger in triggers { try db.execute("DROP TRIGGER main.\(identifier: trigger.name)") }
      try words.drop(in: db)
    }
  }
}
