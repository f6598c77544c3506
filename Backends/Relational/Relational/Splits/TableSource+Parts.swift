import UndercroftCore
import UndercroftSQLite

extension TableSource {
  /// The rows of several tables, one after the other: a column is found by its name, and one that a table lacks is its default there.
  ///
  /// - Parameter origin: the column that says which table a row is of.
  static func union(of parts: [TableDefinition], origin: String? = nil) -> TableSource {
    TableSource { whole, db in
      try whole.require(parts, besides: origin)
      let names = whole.columns.map(\.name)
      let rows = try parts.map { part in
        let values = whole.columns.map { column in
          if let origin, column.name == origin { return SQL(unchecked: part.name.asText) }
          return part.column(column.name).map { $0.name.asName }
            .map { SQL(unchecked: $0) } ?? fallback(column)
        }
        return try part.rows(values.joined(separator: ", "), in: db)
      }
      let all = rows.isEmpty ? nothing(names.count) : rows.joined(separator: " UNION ALL ")
      return "\(identifier: whole.name)(\(SQL(unchecked: whole.columnList))) AS (\(all))"
    }
  }

  /// The rows of one table, each with what others keep under the same key.
  static func join(_ base: TableDefinition, _ others: [TableDefinition]) -> TableSource {
    TableSource { whole, db in
      try whole.require([base] + others)
      let key = try base.onlyKey()
      let values = whole.columns.map { column in
        guard let part = ([base] + others).first(where: { $0.column(column.name) != nil }) else {
          return fallback(column)
        }
        let value: SQL = "\(identifier: part.name).\(identifier: column.name)"
        // A row that the other table lacks is as though it held the defaults.
        guard part !== base, column.defaultValue != nil else { return value }
        return "ifnull(\(value), \(fallback(column)))"
      }
      var rows: SQL = "SELECT \(values.joined(separator: ", ")) FROM \(identifier: base.name)"
      for part in others {
        let own: SQL = "\(identifier: part.name).\(identifier: try part.onlyKey())"
        rows +=
          " LEFT JOIN \(identifier: part.name) ON \(own) = \(identifier: base.name).\(identifier: key)"
      }
      let standIns = try ([base] + others).compactMap { try $0.standIn(in: db) }
      if !standIns.isEmpty { rows = "WITH \(standIns.joined(separator: ", ")) \(rows)" }
      return "\(identifier: whole.name)(\(SQL(unchecked: whole.columnList))) AS (\(rows))"
    }
  }

  private static func fallback(_ column: ColumnDefinition) -> SQL {
    SQL(unchecked: column.defaultValue?.text ?? "NULL")
  }

  private static func nothing(_ count: Int) -> SQL {
    SQL(
      unchecked: "SELECT \(Array(repeating: "NULL", count: count).joined(separator: ", ")) WHERE 0")
  }
}

extension TableDefinition {
  /// The column of this name, as SQLite compares names.
  func column(_ name: String) -> ColumnDefinition? {
    columns.first { SQLName.isSame($0.name, name) }
  }

  /// Makes sure that each column is kept by one of the tables that this is made of.
  fileprivate func require(
    _ parts: [TableDefinition], besides origin: String? = nil
  ) throws(StorageError) {
    for column in columns where column.name != origin {
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
  fileprivate func rows(_ values: SQL, in db: borrowing Connection) throws -> SQL {
    let rows: SQL = "SELECT \(values) FROM \(identifier: name)"
    guard let standIn = try standIn(in: db) else { return rows }
    return "SELECT * FROM (WITH \(standIn) \(rows))"
  }
}
