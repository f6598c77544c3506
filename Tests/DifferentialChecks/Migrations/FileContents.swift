import UndercroftRelational
import UndercroftSQLite

/// The contents of a database: its schema as text, and the rows of each table.
struct FileContents: Equatable {
  var schema: [String]
  var rows: [String: [String]]

  init(of db: Connection) throws {
    schema = try db.fetchAll(
      "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema ORDER BY 1"
    ) { row in try row[0] as String }
    let tables = try db.fetchAll(
      "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
    ) { row in try row[0] as String }
    rows = [:]
    for table in tables { rows[table] = try Self.rows(of: table, in: db).map { "\($0)" }.sorted() }
  }

  /// Returns the rows of a table.
  ///
  /// The generator stores only integers, strings and NULL.
  static func rows(
    of table: String, columns: [String]? = nil, in db: Connection
  ) throws -> [[Cell]] {
    let list = columns.map { $0.map(\.sqlName).joined(separator: ", ") } ?? "*"
    return try db.fetchAll(SQL(unchecked: "SELECT \(list) FROM \(table.sqlName)")) { row in
      try (0..<row.count).map { place -> Cell in
        switch try row.value(at: place) {
        case .null: .null
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .text(let text): .text(text)
        case .blob(let bytes): .text("\(bytes)")
        }
      }
    }
  }

  static func indexes(of table: String, in db: Connection) throws -> [String] {
    try db.fetchAll(
      """
      SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = \(table) COLLATE NOCASE
      AND sql IS NOT NULL ORDER BY name
      """
    ) { row in try row[0] as String }
  }
}
