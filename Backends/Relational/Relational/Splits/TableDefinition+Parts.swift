import UndercroftCore
import UndercroftSQLite

// The rows of derived tables. Real tables are named with their schema, `main`: a common table
// expression of the statement may have the same name.

extension TableDefinition {
  /// The rows of several tables, one after the other: a column is found by its name, and one that a
  /// table lacks is its default there.
  ///
  /// - Parameter origin: the column that says which table a row is of.
  func union(
    of parts: [TableDefinition], origin: String? = nil, in db: borrowing Connection
  ) throws -> SQL {
    try require(parts, besides: origin)
    let collations = columns.map { collation(of: $0, in: parts) }
    let rows = try parts.map { part in
      let values = zip(columns, collations).map { column, collation in
        var value = column.missingValue
        if let origin, column.name.isExactly(origin) {
          value = part.name.asText
        } else if let own = part.column(column.name) {
          value = own.name.asName
        }
        return collation.map { "(\(value)) COLLATE \($0.asName)" } ?? value
      }
      return try part.rows(values.joined(separator: ", "), in: db)
    }
    if !rows.isEmpty { return rows.joined(separator: " UNION ALL ") }
    let nothing = columns.map { _ in "NULL" }.joined(separator: ", ")
    return SQL(unchecked: "SELECT \(nothing) WHERE 0")
  }

  /// The rows of one table, each with what others have under the same key.
  func join(
    of base: TableDefinition, _ others: [TableDefinition], in db: borrowing Connection
  ) throws -> SQL {
    let parts = [base] + others
    try require(parts)
    let key = try base.onlyKey().asName
    let values = try columns.map { column in
      guard let part = parts.first(where: { $0.column(column.name) != nil }) else {
        return column.missingValue
      }
      var value = "\(part.name.asName).\(column.name.asName)"
      if part !== base, column.defaultValue != nil {
        // A missing row reads as the default. A NULL that is stored is a value where there may be
        // none.
        let partKey = "\(part.name.asName).\(try part.onlyKey().asName)"
        value =
          column.isOptional
          ? "CASE WHEN \(partKey) IS NULL THEN \(column.missingValue) ELSE \(value) END"
          : "ifnull(\(value), \(column.missingValue))"
      }
      return collation(of: column, in: parts).map { "(\(value)) COLLATE \($0.asName)" } ?? value
    }
    let expressions = try CommonTableExpressions(of: parts, in: db)
    var sources: [String] = []
    for part in parts {
      let name = expressions.define(part) ? part.quotedName : "main.\(part.quotedName)"
      let condition =
        part === base
        ? ""
        : " ON \(part.name.asName).\(try part.onlyKey().asName) = \(base.name.asName).\(key)"
      sources.append("\(name) AS \(part.name.asName)\(condition)")
    }
    let rows = SQL(
      unchecked:
        "SELECT \(values.joined(separator: ", ")) FROM \(sources.joined(separator: " LEFT JOIN "))")
    return expressions.sql.map { "WITH \($0) \(rows)" } ?? rows
  }

  /// The collation of a column of a derived table, or `nil` where no declaration names one.
  ///
  /// It is the one that the derived table declares, or else that of the first table that has the
  /// column. It has to be written because SQLite finds none in a literal or a function.
  private func collation(of column: ColumnDefinition, in parts: [TableDefinition]) -> String? {
    let found = parts.compactMap { $0.column(column.name) }
    if let collation = column.collation { return collation }
    if found.allSatisfy({ $0.collation == nil }) { return nil }
    return found.first?.collation ?? "BINARY"
  }

  /// The column of this name, as SQLite compares names.
  func column(_ name: String) -> ColumnDefinition? {
    columns.first { SQLName.isSame($0.name, name) }
  }

  /// Makes sure that each column is kept by one of the tables that this is made of.
  private func require(
    _ parts: [TableDefinition], besides origin: String? = nil
  ) throws(StorageError) {
    for column in columns where column.name.exact != origin?.exact {
      if parts.contains(where: { $0.column(column.name) != nil }) { continue }
      throw StorageError(
        .misuse,
        "cannot make \(quoted(name)) of other tables: none has the column \(quoted(column.name))",
        cure: "they are \(parts.map { quoted($0.name) }.joined(separator: ", "))",
        backend: "sqlite")
    }
  }

  /// The name of the primary key, where that is one column.
  func onlyKey() throws(StorageError) -> String {
    guard keyColumns.count == 1, let key = keyColumns.first else {
      throw StorageError(
        .misuse,
        "cannot go by one key: the primary key of \(quoted(name)) has \(keyColumns.count) columns",
        cure: "declare one column as the key", backend: "sqlite")
    }
    return key.name
  }

  /// A query of all its rows, whether it is there yet or not.
  private func rows(_ values: String, in db: borrowing Connection) throws -> SQL {
    guard let needed = try standIn(in: db) else {
      return SQL(unchecked: "SELECT \(values) FROM main.\(quotedName)")
    }
    let rows = SQL(unchecked: "SELECT \(values) FROM \(quotedName)")
    return "SELECT * FROM (WITH \(needed) \(rows))"
  }
}

extension ColumnDefinition {
  /// The value of the column in a row of a table that lacks it.
  fileprivate var missingValue: String { defaultValue?.text ?? "NULL" }
}
