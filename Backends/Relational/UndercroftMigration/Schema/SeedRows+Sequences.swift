import UndercroftCore
import UndercroftSQLite

extension SeedRows {
  /// Returns the statements that set the sequences of `AUTOINCREMENT` tables. (`sqlite_sequence`)
  ///
  /// A table whose sequence is equal to its highest rowid needs no statement.
  static func sequences(
    of tables: [SchemaObject], in db: Connection
  ) throws -> String {
    guard try db.tableExists("sqlite_sequence") else { return "" }
    var last: [ExactString: SQLValue] = [:]
    try db.forEach("SELECT name, seq FROM sqlite_sequence") { row in
      let name: SQLValue = try row[0]
      guard case .text(let name) = name else { return }
      if last[name.exact] == nil { last[name.exact] = try row[1] as SQLValue }
    }
    var lines = ""
    for table in tables {
      guard let sequence = last[table.name.exact] else { continue }
      let highest: SQLValue = try db.fetchValue("SELECT max(rowid) FROM \(identifier: table.name)")
      if highest == sequence { continue }
      let name = SQLLiteralWriter.literal(.text(table.name))
      lines += """
        DELETE FROM sqlite_sequence WHERE name = \(name);
        INSERT INTO sqlite_sequence (name, seq) VALUES (\(name), \(SQLLiteralWriter.literal(sequence)));\n
        """
    }
    return lines
  }
}
