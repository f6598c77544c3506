import CSQLite
import UndercroftCore

/// A table that a statement names without its store, although several stores have such a table.
///
/// SQLite would silently read the table of the store that was attached first.
struct AmbiguousTable {
  /// The maximum number of stores that the error names.
  private static let shownCount = 10

  /// The name of the table, as the first store spells it.
  let name: String
  /// The names of the stores.
  let stores: [String]

  /// Finds the first such table of a statement, or returns `nil` if the statement has none.
  ///
  /// - Parameters:
  ///   - sql: the statement.
  ///   - reads: the tables that SQLite reads for the statement.
  ///   - connection: the connection that has compiled the statement.
  init?(in sql: String, reads: Set<QueryAuthorizer.TableRead>, on connection: QueryConnection) {
    let schemas = connection.databases.filter(\.isQualified).map(\.schema)
    guard schemas.count + connection.unattached.count > 1, !reads.isEmpty else { return nil }
    let sql = TokenizedSQL(sql)
    for read in reads.sorted(by: { $0.table < $1.table }) where sql.names(read) {
      // Without a store, SQLite prefers a store of named values.
      guard Self.name(of: read.table, in: "main", on: connection) == nil,
        !schemas.contains(where: { Self.isView(read.context, in: $0, on: connection) })
      else { continue }
      let attached = schemas.compactMap { schema in
        Self.name(of: read.table, in: schema, on: connection).map { (schema, $0) }
      }
      let others = connection.unattached.compactMap { names in
        names.spelling(ofTable: read.table).map { (names.store, $0) }
      }
      let found = attached + others
      guard found.count > 1, let first = found.first else { continue }
      (name, stores) = (first.1, found.map { $0.0 })
      return
    }
    return nil
  }

  /// The error of the statement.
  var error: StorageError {
    let shown = stores.prefix(Self.shownCount)
    let rest = stores.count - shown.count
    let qualified = shown.map {
      StorageError.printable("\($0.spelledIdentifier).\(name.spelledIdentifier)")
    }
    return .sqliteMisuse(
      """
      cannot run the statement: each of the stores \
      \(shown.map { quoted($0) }.joined(separator: ", "))\(rest > 0 ? " and \(rest) more" : "") \
      has a table named \(quoted(name))
      """,
      suggestion: """
        write the name of the store before the table\(rest > 0 ? ", such as" : ":") \
        \(qualified.joined(separator: " or "))
        """)
  }

  private static func name(
    of table: ExactString, in schema: String, on connection: QueryConnection
  ) -> String? {
    object(table, "type IN ('table', 'view')", in: schema, on: connection)
  }

  private static func isView(
    _ name: ExactString?, in schema: String, on connection: QueryConnection
  ) -> Bool {
    guard let name else { return false }
    return object(name, "type = 'view'", in: schema, on: connection) != nil
  }

  private static func object(
    _ name: ExactString, _ condition: String, in schema: String, on connection: QueryConnection
  ) -> String? {
    Statement.internalQuery(
      """
      SELECT name FROM \(schema.quotedIdentifier).sqlite_schema
      WHERE name = ? COLLATE NOCASE AND \(condition)
      """, [name.text], on: connection.raw
    ) { row in sqlite3_column_text(row, 0).map { String(cString: $0) } ?? name.text }.first
  }
}

extension TokenizedSQL {
  /// Returns whether the statement itself can name a table that SQLite reads, and names the table
  /// without its store.
  ///
  /// The tables of a full-text index are read although the statement does not name them.
  fileprivate func names(_ read: QueryAuthorizer.TableRead) -> Bool {
    let mentions = tokens.indices.filter { tokens[$0].isName(read.table.text) }
    let hasBareName = mentions.contains { isUnqualified(at: $0) }
    let hasQualifiedName = mentions.contains { index in
      isPunctuation(".", at: index - 1) && index > 1
        && read.schema.map { tokens[index - 2].isName($0.text) } ?? false
    }
    return hasBareName && !hasQualifiedName && !mentions.contains(where: definesExpression)
  }

  /// Returns whether a common table expression begins with the name at an index.
  private func definesExpression(at index: Int) -> Bool {
    var next = index + 1
    if isPunctuation("(", at: next) { next = closing(of: next).map { $0 + 1 } ?? tokens.count }
    guard next + 1 < tokens.count, tokens[next].isWord("as") else { return false }
    return isPunctuation("(", at: next + 1) || tokens[next + 1].isWord("materialized")
      || tokens[next + 1].isWord("not")
  }
}
