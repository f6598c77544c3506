import UndercroftCore
import UndercroftSQLite

// The queries of derived tables. Real tables are qualified by their schema `main`, because a common
// table expression of the statement can have the same name.

extension TableDefinition {
  /// Returns a query of the rows of several tables, in the order of the tables.
  ///
  /// Columns are matched by name. A column that a table lacks is read as its default value, or as
  /// NULL.
  ///
  /// - Parameter origin: The column that contains the name of each row's table, or `nil` if there
  ///   is no such column.
  func union(
    of parts: [TableDefinition], origin: String? = nil, in db: Connection
  ) throws -> SQL {
    try require(parts, besides: origin)
    let collations = columns.map { collation(of: $0, in: parts) }
    let rows = try parts.map { part in
      let values = zip(columns, collations).map { column, collation in
        var value = column.missingValue
        if let origin, column.name.isExactly(origin) {
          value = part.name.quotedLiteral
        } else if let own = part.column(column.name) {
          value = own.name.quotedIdentifier
        }
        return collation.map { "(\(value)) COLLATE \($0.quotedIdentifier)" } ?? value
      }
      return try part.rows(values.joined(separator: ", "), in: db)
    }
    if !rows.isEmpty { return rows.joined(separator: " UNION ALL ") }
    let nothing = columns.map { _ in "NULL" }.joined(separator: ", ")
    return SQL(unchecked: "SELECT \(nothing) WHERE 0")
  }

  /// Returns a query that joins each row of `base` with the rows of `others` that have the same
  /// key.
  ///
  /// The query is a left join. Columns are matched by name, and are read from the first table that
  /// has the column. If a table has no row with the key, its columns are read as their default
  /// values, or as NULL.
  func join(
    of base: TableDefinition, _ others: [TableDefinition], in db: Connection
  ) throws -> SQL {
    let parts = [base] + others
    try require(parts)
    let key = try base.onlyKey().quotedIdentifier
    let values = try columns.map { column in
      guard let part = parts.first(where: { $0.column(column.name) != nil }) else {
        return column.missingValue
      }
      var value = "\(part.name.quotedIdentifier).\(column.name.quotedIdentifier)"
      if part !== base, column.defaultValue != nil {
        // The columns of a missing row are read as their default values. A stored NULL of an
        // optional column remains NULL.
        let partKey = "\(part.name.quotedIdentifier).\(try part.onlyKey().quotedIdentifier)"
        value =
          column.isOptional
          ? "CASE WHEN \(partKey) IS NULL THEN \(column.missingValue) ELSE \(value) END"
          : "ifnull(\(value), \(column.missingValue))"
      }
      return collation(of: column, in: parts).map { "(\(value)) COLLATE \($0.quotedIdentifier)" }
        ?? value
    }
    let expressions = try CommonTableExpressions(of: parts, in: db)
    var sources: [String] = []
    for part in parts {
      let name = expressions.defines(part) ? part.quotedName : "main.\(part.quotedName)"
      let condition =
        part === base
        ? ""
        : " ON \(part.name.quotedIdentifier).\(try part.onlyKey().quotedIdentifier) = \(base.name.quotedIdentifier).\(key)"
      sources.append("\(name) AS \(part.name.quotedIdentifier)\(condition)")
    }
    let rows = SQL(
      unchecked:
        "SELECT \(values.joined(separator: ", ")) FROM \(sources.joined(separator: " LEFT JOIN "))")
    return expressions.sql.map { "WITH \($0) \(rows)" } ?? rows
  }

  /// Returns the collation of a column of a derived table, or `nil` if no declaration specifies a
  /// collation.
  ///
  /// The collation of the derived table has priority over the collation of the first table with the
  /// column. A query of a derived table can read a column from a literal or a function, such as the
  /// default value of a missing column. SQLite derives no collation from a literal or a function.
  /// The query must therefore contain the collation explicitly.
  private func collation(of column: ColumnDefinition, in parts: [TableDefinition]) -> String? {
    let found = parts.compactMap { $0.column(column.name) }
    if let collation = column.collation { return collation }
    if found.allSatisfy({ $0.collation == nil }) { return nil }
    return found.first?.collation ?? "BINARY"
  }

  /// Returns the column with this name, ignoring the case of ASCII letters, or `nil` if there is no
  /// such column.
  func column(_ name: String) -> ColumnDefinition? {
    columns.first { SQLName.isSame($0.name, name) }
  }

  /// Verifies that each column of this declaration exists in at least one of the tables in `parts`.
  ///
  /// - Parameter origin: The column that contains the name of each row's table and need not exist
  ///   in a table, or `nil` if there is no such column.
  /// - Throws: ``StorageError/Code/misuse`` if a column exists in none of the tables.
  private func require(
    _ parts: [TableDefinition], besides origin: String? = nil
  ) throws(StorageError) {
    for column in columns where column.name.exact != origin?.exact {
      if parts.contains(where: { $0.column(column.name) != nil }) { continue }
      throw StorageError.table(
        """
        cannot read from the table \(quoted(name)): its rows are read from other tables, but none \
        of these has the column \(quoted(column.name))
        """,
        suggestion: """
          remove the column from the declaration of \(quoted(name)), or add it to the declaration \
          of one of the other tables: \(parts.map { quoted($0.name) }.joined(separator: ", "))
          """)
    }
  }

  /// Returns the name of the only column of the primary key.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the table has no primary key or a composite primary
  ///   key.
  func onlyKey() throws(StorageError) -> String {
    guard keyColumns.count == 1, let key = keyColumns.first else {
      throw StorageError.table(
        "cannot identify rows of the table \(quoted(name)) by a single column: "
          + (keyColumns.isEmpty
            ? "the table has no primary key"
            : "the primary key of the table has \(keyColumns.count) columns"),
        suggestion: "declare exactly one column as the primary key")
    }
    return key.name
  }

  /// Returns a query of all rows that also works if the table does not exist yet.
  ///
  /// - Parameter values: The columns of the query, as a list in SQL.
  private func rows(_ values: String, in db: Connection) throws -> SQL {
    guard let needed = try readSubstitute(in: db) else {
      return SQL(unchecked: "SELECT \(values) FROM main.\(quotedName)")
    }
    let rows = SQL(unchecked: "SELECT \(values) FROM \(quotedName)")
    return "SELECT * FROM (WITH \(needed) \(rows))"
  }
}

extension ColumnDefinition {
  /// The SQL of the value that the column has in the rows of a table without this column: the
  /// default value, or `NULL`.
  fileprivate var missingValue: String { defaultValue?.text ?? "NULL" }
}
