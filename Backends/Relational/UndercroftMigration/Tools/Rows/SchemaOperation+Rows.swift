import UndercroftCore
import UndercroftSQLite

extension SchemaOperation {
  /// Returns the values that a closure returned for `columns`, converted to SQL values.
  ///
  /// Throws if the number of values differs from the number of columns.
  func values(
    _ values: [(any SQLBindable)?], for columns: [String]
  ) throws -> [SQLValue] {
    guard values.count == columns.count else {
      throw failure(
        """
        the closure returned \(values.count) value\(values.count == 1 ? "" : "s") for \
        \(columns.count) column\(columns.count == 1 ? "" : "s") \
        (\(columns.map { quoted($0) }.joined(separator: ", ")))
        """,
        suggestion: "return one value for each column, in the order of the columns")
    }
    return try values.map { try $0?.sqlValue() ?? .null }
  }

  /// Runs one statement once for each row of values.
  func run(_ sql: SQL, for rows: [[SQLValue]], in db: Connection) throws {
    if rows.isEmpty { return }
    try step(
      in: db,
      suggestion: "return values from the closure that satisfy the constraints of the table"
    ) { db in
      try db.prepare(sql) { statement in
        for row in rows {
          for (index, value) in row.enumerated() { try statement.bind(value, at: index + 1) }
          try statement.run()
        }
      }
    }
  }
}
