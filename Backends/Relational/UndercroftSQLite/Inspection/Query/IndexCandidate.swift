import CSQLite
import UndercroftCore
import UndercroftInspection

/// An index that could make a statement faster.
struct IndexCandidate {
  let schema: String
  let table: String
  let columns: [String]
  /// Whether the suggested statement contains the name of the schema.
  let isQualified: Bool
  /// The name of the index, which no other object of the schema has.
  let name: String

  /// The statement that creates the index.
  var statement: String {
    let schema = isQualified ? schema.quotedIdentifier + "." : ""
    return "CREATE INDEX \(schema)\(name.quotedIdentifier) ON \(indexedColumns)"
  }

  private var indexedColumns: String {
    let columns = columns.map(\.quotedIdentifier).joined(separator: ", ")
    return "\(table.quotedIdentifier)(\(columns))"
  }

  private var qualifiedName: String { "\(schema.quotedIdentifier).\(name.quotedIdentifier)" }

  /// Creates the index, and returns whether this was possible.
  func create(on connection: QueryConnection) -> Bool {
    (try? connection.execute("CREATE INDEX \(qualifiedName) ON \(indexedColumns)")) != nil
  }

  func drop(on connection: QueryConnection) {
    try? connection.execute("DROP INDEX \(qualifiedName)")
  }

  /// Returns whether a step of a query plan uses the index.
  func isUsed(in step: QueryPlan.Step) -> Bool {
    let text = step.text + " "
    return text.contains(" INDEX \(name) ")
  }

  /// Returns whether both candidates are the same index.
  func isSame(as other: IndexCandidate) -> Bool {
    schema.isExactly(other.schema) && name.isExactly(other.name)
  }

  // MARK: Finding candidates

  /// Returns an index for each column that a statement mentions, and for the columns of each index
  /// that SQLite builds for one run only.
  static func all(
    for sql: String, steps: [QueryPlan.Step], databases: [QueryDatabase],
    on connection: QueryConnection
  ) -> [IndexCandidate] {
    let automatic = steps.compactMap { automaticColumns(in: $0) }
    return databases.flatMap { database in
      let texts = mentioningTexts(sql, in: database.schema, on: connection)
      let tables = names(
        """
        SELECT name FROM pragma_table_list
        WHERE schema = ? AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        """, [database.schema], on: connection)
      return tables.filter { table in texts.contains { $0.mentions(table) } }.flatMap { table in
        let columns = names(
          "SELECT name FROM pragma_table_xinfo(?, ?) WHERE hidden <> 1 ORDER BY cid",
          [table, database.schema], on: connection)
        let known = Set(columns.map(\.folded))
        let joined = automatic.filter { $0.allSatisfy { known.contains($0.folded) } }
        let single = columns.filter { column in texts.contains { $0.mentions(column) } }.map {
          [$0]
        }
        return (joined + single).map { columns in
          IndexCandidate(
            schema: database.schema, table: table, columns: columns,
            isQualified: database.isQualified,
            name: freeName(
              "\(table)_by_\(columns.joined(separator: "_"))", in: database.schema, on: connection))
        }
      }
    }
  }

  /// Returns the statement, and the definitions of the views that it mentions directly or through
  /// other views.
  private static func mentioningTexts(
    _ sql: String, in schema: String, on connection: QueryConnection
  ) -> [TokenizedSQL] {
    var texts = [TokenizedSQL(sql)]
    var views = Statement.internalQuery(
      "SELECT name, sql FROM \(schema.quotedIdentifier).sqlite_schema WHERE type = 'view'",
      on: connection.raw
    ) { row in (name: text(row, 0), definition: TokenizedSQL(text(row, 1))) }
    while let index = views.firstIndex(where: { view in texts.contains { $0.mentions(view.name) } })
    {
      texts.append(views.remove(at: index).definition)
    }
    return texts
  }

  /// Returns the columns of an index that SQLite builds for one run only, or `nil` if the step has
  /// none: `SEARCH loan USING AUTOMATIC COVERING INDEX (book=? AND reader=?)`.
  private static func automaticColumns(in step: QueryPlan.Step) -> [String]? {
    guard step.text.contains(" AUTOMATIC "), let begin = step.text.firstIndex(of: "("),
      let end = step.text.lastIndex(of: ")"), begin < end
    else { return nil }
    let conditions = step.text[step.text.index(after: begin)..<end].split(separator: " AND ")
    let columns = conditions.compactMap { condition in
      condition.hasSuffix("=?") ? String(condition.dropLast(2)) : nil
    }
    return columns.isEmpty ? nil : columns
  }

  private static func freeName(
    _ name: String, in schema: String, on connection: QueryConnection
  ) -> String {
    let used = names(
      "SELECT name FROM \(schema.quotedIdentifier).sqlite_schema", [], on: connection)
    let known = Set(used.map(\.folded))
    if !known.contains(name.folded) { return name }
    for number in 2...known.count + 2 where !known.contains("\(name)_\(number)".folded) {
      return "\(name)_\(number)"
    }
    return name
  }

  private static func names(
    _ sql: String, _ arguments: [String], on connection: QueryConnection
  ) -> [String] {
    Statement.internalQuery(sql, arguments, on: connection.raw) { text($0, 0) }
  }

  private static func text(_ row: OpaquePointer, _ column: Int32) -> String {
    sqlite3_column_text(row, column).map { String(cString: $0) } ?? ""
  }
}
