import UndercroftSQLite

/// How a declaration is written in SQL.
enum SchemaText {
  /// The name of a table, a column or an index, in quotes.
  static func quote(_ name: String) -> String { SQL("\(identifier: name)").text }

  static func list(_ names: [String]) -> String { names.map(quote).joined(separator: ", ") }

  static func create(_ table: TableDefinition) -> SQL {
    let keys = table.keyColumns.map(\.name)
    var parts = table.columns.map { column($0, isOnlyKey: keys.count == 1) }
    if keys.count > 1 { parts.append("PRIMARY KEY (\(list(keys)))") }
    let text = "CREATE TABLE \(quote(table.name)) (\(parts.joined(separator: ", ")))"
    return SQL(unchecked: text)
  }

  /// A column as `CREATE TABLE` and `ADD COLUMN` want it.
  static func column(_ column: ColumnDefinition, isOnlyKey: Bool) -> String {
    var parts = [quote(column.name), column.type.rawValue]
    if column.isPrimaryKey, isOnlyKey {
      parts.append("PRIMARY KEY")
      if column.isAutoincrementing { parts.append("AUTOINCREMENT") }
    }
    // A key of several columns, or of text, would take NULL otherwise.
    if !column.isOptional { parts.append("NOT NULL") }
    if column.isUnique { parts.append("UNIQUE") }
    if let value = column.defaultValue { parts.append("DEFAULT \(value.text)") }
    if let collation = column.collation { parts.append("COLLATE \(quote(collation))") }
    for check in column.checks { parts.append("CHECK (\(check))") }
    if let generator = column.generator {
      parts.append("AS (\(generator.expression)) \(generator.isStored ? "STORED" : "VIRTUAL")")
    }
    return parts.joined(separator: " ")
  }

  static func create(_ index: IndexDefinition, named name: String, on table: String) -> String {
    let condition = index.condition.map { " WHERE \($0)" } ?? ""
    return """
      CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(quote(name)) ON \(quote(table)) \
      (\(list(index.columns)))\(condition)
      """
  }
}
