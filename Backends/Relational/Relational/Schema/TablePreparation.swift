import UndercroftCore
import UndercroftSQLite

/// Brings a table of the file in line with its declaration: made, completed by columns, its declared indexes as they are declared.
struct TablePreparation: ~Copyable {
  private let table: TableDefinition

  init(of table: TableDefinition) { self.table = table }

  /// Does what is to be done, once for each connection and schema.
  func run(in db: borrowing Connection) throws {
    if db.isMarked(table) { return }
    if try db.tableExists(table.name) {
      try complete(in: db)
    } else {
      try db.execute(SchemaText.create(table))
    }
    try alignIndexes(in: db)
    // After the changes, which have every connection forget what it has seen.
    db.mark(table)
  }

  // MARK: Columns

  private func complete(in db: borrowing Connection) throws {
    let present = try db.columns(of: table.name)
    for column in table.columns {
      if let found = present.first(where: { Self.isSame($0.name, column.name) }) {
        try compare(column, with: found)
      } else {
        try add(column, in: db)
      }
    }
    try check(present)
  }

  /// A column of the file must be able to hold what is declared of it.
  private func compare(_ column: ColumnDefinition, with found: TableColumn) throws {
    var differences: [String] = []
    if !Self.isSame(found.type, column.type.rawValue) {
      differences.append(
        "its type is \(found.type.isEmpty ? "none" : found.type), not \(column.type.rawValue)")
    }
    if (found.primaryKeyPosition > 0) != column.isPrimaryKey {
      differences.append("it is \(column.isPrimaryKey ? "no" : "a") part of the primary key")
    }
    if found.isRequired, column.isOptional, !column.isPrimaryKey, column.defaultValue == nil {
      differences.append("it is NOT NULL, and the property is optional")
    }
    if found.isGenerated != (column.generator != nil) {
      differences.append("it is \(found.isGenerated ? "" : "not ")computed from others")
    }
    if differences.isEmpty { return }
    throw difference("column \(quoted(column.name)): \(differences.joined(separator: ", "))")
  }

  /// What is in the file and not declared must do without a value.
  private func check(_ present: [TableColumn]) throws {
    for found in present where !table.columns.contains(where: { Self.isSame($0.name, found.name) })
    {
      let needsValue = found.isRequired && found.defaultValue == nil && !found.isGenerated
      if needsValue {
        throw difference(
          "the file has a column \(quoted(found.name)) that is NOT NULL and has no default")
      }
    }
  }

  private func add(_ column: ColumnDefinition, in db: borrowing Connection) throws {
    let isAddable =
      !column.isPrimaryKey && !column.isUnique && (column.isOptional || column.defaultValue != nil)
      && column.generator?.isStored != true
    guard isAddable else {
      throw difference(
        "column \(quoted(column.name)) is missing, and SQLite cannot add one that is \(Self.obstacle(column))"
      )
    }
    try db.execute(
      SQL(
        unchecked:
          "ALTER TABLE \(table.quotedName) ADD COLUMN \(SchemaText.column(column, isOnlyKey: false))"
      ))
  }

  private static func obstacle(_ column: ColumnDefinition) -> String {
    if column.isPrimaryKey { return "a primary key" }
    if column.isUnique { return "unique" }
    if column.generator != nil { return "computed and stored" }
    return "NOT NULL without a default"
  }

  private func difference(_ what: String) -> StorageError {
    StorageError(
      .misuse,
      "cannot use the table \(quoted(table.name)): it differs from its declaration: \(what)",
      cure: "declare it as it is, or migrate it", backend: "sqlite")
  }

  // MARK: Indexes

  /// Makes what is declared and missing, and drops what was declared once; what was made by hand stays.
  private func alignIndexes(in db: borrowing Connection) throws {
    let present = try db.schema().filter {
      $0.kind == .index && Self.isSame($0.table, table.name)
        && $0.name.hasPrefix(IndexNames.prefix)
    }
    var names = IndexNames(on: table.name)
    let wanted = table.indexes.map { index in
      let name = names.name(index)
      return (
        name: name, sql: SQL(unchecked: SchemaText.create(index, named: name, on: table.name))
      )
    }
    for found in present
    where !wanted.contains(where: { $0.name == found.name && $0.sql.text == found.sql }) {
      try db.execute("DROP INDEX \(identifier: found.name)")
    }
    for (name, sql) in wanted
    where !present.contains(where: { $0.name == name && $0.sql == sql.text }) {
      try db.execute(sql)
    }
  }

  /// As SQLite compares names.
  private static func isSame(_ one: String, _ other: String) -> Bool {
    one.lowercased() == other.lowercased()
  }
}
