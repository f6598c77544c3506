import UndercroftCore
import UndercroftSQLite

/// A builder of the SQL statements that create tables, columns and indexes from declarations.
enum DDLBuilder {
  static func list(_ names: [String]) -> String {
    names.map(\.quotedIdentifier).joined(separator: ", ")
  }

  /// Returns the statement that creates a table without its
  /// indexes: the columns, followed by the table constraints.
  static func create(_ table: TableDefinition) throws(StorageError) -> String {
    if let failure = table.failure { throw failure }
    let keys = table.keyColumns.map(\.name)
    var parts: [String] = []
    for column in table.columns {
      parts.append(
        try self.column(
          column, of: table.name, isOnlyKey: keys.count == 1, hasRowID: table.hasRowID))
    }
    if keys.count > 1 { parts.append("PRIMARY KEY (\(list(keys)))") }
    parts += table.constraints.uniqueSets.map { "UNIQUE (\(list($0)))" }
    parts += table.constraints.checks.map { "CHECK (\($0))" }
    for key in table.constraints.foreignKeys {
      let resolved = try key.resolved(of: table.name)
      parts.append("FOREIGN KEY (\(list(key.columns))) \(reference(resolved))")
    }
    var options: [String] = []
    if table.constraints.isStrict { options.append("STRICT") }
    if !table.hasRowID { options.append("WITHOUT ROWID") }
    let tail = options.isEmpty ? "" : " \(options.joined(separator: ", "))"
    return "CREATE TABLE \(table.quotedName) (\(parts.joined(separator: ", ")))\(tail)"
  }

  /// Returns the definition of a column for `CREATE TABLE` and `ADD COLUMN`.
  ///
  /// - Parameters:
  ///   - column: The declaration of the column.
  ///   - table: The name of the table, for error messages.
  ///   - isOnlyKey: Whether a key column is the only column of the primary key. If `false`, the
  ///     definition contains no `PRIMARY KEY`.
  ///   - hasRowID: Whether the table has rowids. If so, a single integer key needs no `NOT NULL`.
  static func column(
    _ column: ColumnDefinition, of table: String, isOnlyKey: Bool, hasRowID: Bool = true
  ) throws(StorageError) -> String {
    if let failure = column.failure { throw failure }
    var parts = [column.name.quotedIdentifier, column.type.rawValue]
    let isKey = column.isPrimaryKey && isOnlyKey
    if isKey {
      parts.append("PRIMARY KEY")
      if column.isAutoincrementing { parts.append("AUTOINCREMENT") }
    }
    // Without `NOT NULL`, SQLite accepts NULL in a primary key of several columns or of text. A
    // single integer key needs no `NOT NULL`, because SQLite replaces NULL by a generated rowid.
    let isRowID = isKey && hasRowID && column.type == .integer
    if !column.isOptional || (column.isPrimaryKey && !isRowID) { parts.append("NOT NULL") }
    if column.isUnique { parts.append("UNIQUE") }
    if let value = column.defaultValue { parts.append("DEFAULT \(value.text)") }
    if let collation = column.collation { parts.append("COLLATE \(collation.quotedIdentifier)") }
    for check in column.checks { parts.append("CHECK (\(check))") }
    if let key = column.foreignKey { parts.append(reference(try key.resolved(of: table))) }
    if let generator = column.generator {
      parts.append("AS (\(generator.expression)) \(generator.isStored ? "STORED" : "VIRTUAL")")
    }
    return parts.joined(separator: " ")
  }

  private static func reference(_ key: ForeignKey.Resolved) -> String {
    var text = "REFERENCES \(key.table.quotedIdentifier) (\(list(key.targetColumns)))"
    if key.onDelete != .noAction { text += " ON DELETE \(key.onDelete.rawValue)" }
    if key.onUpdate != .noAction { text += " ON UPDATE \(key.onUpdate.rawValue)" }
    if key.isDeferred { text += " DEFERRABLE INITIALLY DEFERRED" }
    return text
  }

  static func create(_ index: IndexDefinition, named name: String, on table: String) -> String {
    let condition = index.condition.map { " WHERE \($0)" } ?? ""
    return """
      CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(name.quotedIdentifier) ON \(table.quotedIdentifier) \
      (\(list(index.columns)))\(condition)
      """
  }
}
