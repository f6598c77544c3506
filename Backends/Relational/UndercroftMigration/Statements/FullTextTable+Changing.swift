import UndercroftCore
import UndercroftSQLite

extension FullTextTable {
  /// Drops the full-text table, creates it with another statement and the
  /// same configuration, and fills it again.
  func recreate(as sql: String, in db: Connection) throws {
    let configuration = try db.fetchAll(
      "SELECT k, v FROM \(identifier: "\(name)_config") WHERE k <> 'version'"
    ) { row in (key: try row[0] as String, value: try row[1] as SQLValue) }
    try db.execute("DROP TABLE main.\(identifier: name)")
    try db.execute(SQL(unchecked: sql))
    for (key, value) in configuration {
      try db.execute(
        "INSERT INTO \(identifier: name)(\(identifier: name), rank) VALUES (\(key), \(value))")
    }
    try refill(in: db)
  }

  /// Fills the full-text table again from its content table.
  func refill(in db: Connection) throws {
    try db.execute("INSERT INTO \(identifier: name)(\(identifier: name)) VALUES ('rebuild')")
  }

  /// Returns the triggers that were created for a table
  /// declared in Swift to update this full-text table.
  ///
  /// The result is empty if the full-text table was created
  /// in another way, such as by SQL of the application.
  func declaredTriggers(in db: Connection) throws -> [SchemaObject] {
    // Some of the triggers write only to the log table, and not to the full-text table.
    let prefix = "\(declaredPrefix).".folded.text
    return try db.schema().filter {
      $0.kind == .trigger && $0.isDeclared && $0.table.folded == content.folded
        && ($0.name.folded.begins(with: prefix)
          || $0.name.contains("_search.") && $0.sql.map { TokenizedSQL($0).mentions(name) } == true)
    }
  }

  /// Drops the full-text table, and the log table in which its triggers record replaced rows.
  func drop(in db: Connection) throws {
    try db.execute("DROP TABLE main.\(identifier: name)")
    try db.execute("DROP TABLE IF EXISTS main.\(identifier: "\(declaredPrefix).replaced")")
  }

  /// The prefix of the names of the triggers and of the log table that were created with this
  /// full-text table for a table declared in Swift.
  private var declaredPrefix: String { "\(SchemaObject.declaredPrefix)\(name)" }

  /// Renames a column of this full-text table in the column lists of the triggers that write to it.
  func renameInTriggers(
    _ column: String, to other: String, in db: Connection
  ) throws {
    for trigger in try db.schema() where trigger.kind == .trigger {
      guard let text = trigger.sql else { continue }
      let sql = TokenizedSQL(text)
      let edits = columnLists(in: sql).flatMap { list in
        list.filter { sql.tokens[$0].name == column.folded }
          .map { (range: $0..<$0 + 1, text: other.quotedIdentifier) }
      }
      if edits.isEmpty { continue }
      try db.execute("DROP TRIGGER main.\(identifier: trigger.name)")
      try db.execute(SQL(unchecked: sql.replacing(edits)))
    }
  }

  /// Returns the token ranges inside the parentheses of each `INTO name (…)`, where `name` is the
  /// name of this full-text table.
  private func columnLists(in sql: TokenizedSQL) -> [Range<Int>] {
    sql.tokens.indices.compactMap { index in
      guard sql.tokens[index].isWord("into"), sql.tokens.indices.contains(index + 2),
        sql.tokens[index + 1].name == name.folded, sql.tokens[index + 2].isPunctuation("("),
        let close = sql.closing(of: index + 2)
      else { return nil }
      return index + 3..<close
    }
  }
}
