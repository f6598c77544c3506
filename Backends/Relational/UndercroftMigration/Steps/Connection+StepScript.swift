import UndercroftCore
import UndercroftSQLite

extension Connection {
  /// Runs the script of a step.
  ///
  /// SQLite refuses to drop a column that an index or a trigger names. A script is
  /// fixed text, but the indexes and full-text tables that a file contains depend on
  /// the tables that a release declared in Swift. So before an
  /// `ALTER TABLE … DROP COLUMN` statement runs, this function drops the indexes and
  /// full-text tables that were created for such tables and that use the column.
  func executeStep(_ script: SQL) throws {
    try executeStatements(
      of: script,
      willRun: { statement in
        guard let dropped = DroppedColumn(statement) else { return }
        let operation = SchemaOperation(
          "drop the column \(quoted(dropped.column)) of \(quoted(dropped.table))")
        try operation.dropDeclaredObjects(of: dropped.table, using: dropped.column, in: self)
      })
  }
}

extension SchemaOperation {
  /// Drops the indexes and the full-text tables that were created
  /// for a table declared in Swift and that use a column.
  ///
  /// All other objects remain. When the declared table is next
  /// used, the objects that it still declares are created again.
  fileprivate func dropDeclaredObjects(
    of table: String, using column: String, in db: Connection
  ) throws {
    for fullTextTable in try FullTextTable.all(of: table, in: db)
    where fullTextTable.needs(column) {
      let triggers = try fullTextTable.declaredTriggers(in: db)
      for trigger in triggers { try db.execute("DROP TRIGGER main.\(identifier: trigger.name)") }
      if !triggers.isEmpty { try fullTextTable.drop(in: db) }
    }
    try dropDeclaredIndexes(of: table, losing: [column], in: db)
  }
}

/// A column of the main database that a statement drops: `ALTER TABLE book DROP COLUMN isbn`.
private struct DroppedColumn {
  let table: String
  let column: String

  /// Parses an `ALTER TABLE … DROP COLUMN` statement.
  ///
  /// Returns `nil` for any other statement.
  init?(_ statement: String) {
    let sql = TokenizedSQL(statement)
    var position = 0
    func read(_ word: String) -> Bool {
      guard position < sql.tokens.count, sql.tokens[position].isWord(word) else { return false }
      position += 1
      return true
    }
    func readName() -> String? {
      guard position < sql.tokens.count, !sql.tokens[position].isPunctuation else { return nil }
      position += 1
      return sql.spelling(at: position - 1)
    }
    guard read("alter"), read("table"), var table = readName() else { return nil }
    if position < sql.tokens.count, sql.tokens[position].isPunctuation(".") {
      guard table.folded == "main" else { return nil }
      position += 1
      guard let name = readName() else { return nil }
      table = name
    }
    guard read("drop") else { return nil }
    // The word COLUMN is optional, and may itself be the name of the column.
    let isNameNext =
      position + 1 < sql.tokens.count && !sql.tokens[position + 1].isPunctuation
    if isNameNext, !read("column") { return nil }
    guard let column = readName() else { return nil }
    (self.table, self.column) = (table, column)
  }
}
