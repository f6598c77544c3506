import UndercroftCore
import UndercroftSQLite

/// The rebuilding of a table with another definition, by the procedure that section 7 of
/// https://sqlite.org/lang_altertable.html describes.
struct TableRebuilding {
  var operation: SchemaOperation
  let table: SchemaObject
  let text: CreateTableStatement
  let expressions: [String: SQL]
  let dropped: [String]
  let condition: SQL?

  private var name: String { "main.\(table.name.quotedIdentifier)" }

  func run(in db: Connection) throws {
    try requireNoReferences(in: db)
    let check = try SchemaCheck(before: operation, in: db)
    let sequence = try sequence(in: db)
    let new = try db.unusedName("undercroft_migration_new")
    var operation = operation
    operation.replacedNames.append((new, table.name))
    try operation.run(text.named(new), in: db, suggestion: "correct the new definition")
    let copying = try TableCopying(of: self, to: new, in: db)
    try copying.run(operation, in: db)
    let fullTextTables = try dropDeclaredObjects(copying, in: db)
    let dependents = try db.schema().filter {
      $0.table.folded == table.name.folded && ($0.kind == .index || $0.kind == .trigger)
    }
    try db.execute(SQL(unchecked: "DROP TABLE \(name)"))
    try db.withLegacyAlterTable(true) { db in
      try operation.run(
        "ALTER TABLE main.\(new.quotedIdentifier) RENAME TO \(text.name.quotedIdentifier)", in: db,
        suggestion: SchemaOperation.dropSuggestion)
    }
    try restore(sequence, in: db)
    for object in dependents { try create(object, in: db) }
    for table in fullTextTables { try table.refill(in: db) }
    try check.requireIntact(after: operation, in: db)
    try requireForeignKeys(in: db)
  }

  /// Creates an index or a trigger again with its original statement.
  private func create(_ object: SchemaObject, in db: Connection) throws {
    // An index of a constraint is created with its table.
    guard let sql = object.sql else { return }
    let kind = object.kind == .index ? "INDEX" : "TRIGGER"
    try operation.step(
      in: db,
      suggestion: """
        drop the \(object.kind.rawValue) before this call (DROP \(kind) \
        \(object.name.quotedIdentifier)), or repair the data
        """,
      about: "the \(object.kind.rawValue) \(quoted(object.name)) does not fit the new table"
    ) { db in _ = try db.execute(SQL(unchecked: sql)) }
  }

  // MARK: Foreign keys

  /// Throws if foreign keys are enforced and a foreign key refers to the table.
  ///
  /// While foreign keys are enforced, `DROP TABLE` deletes the rows of the table first. The foreign
  /// key would then either delete or change the referring rows, or make `DROP TABLE` fail.
  private func requireNoReferences(in db: Connection) throws {
    guard try db.enforcesForeignKeys(),
      let other = try db.references(to: table.name).first?.table
    else { return }
    throw operation.failure(
      """
      a foreign key of \(quoted(other)) refers to \(quoted(table.name)), and foreign keys are \
      enforced: SQLite would delete the referring rows while the table is replaced
      """,
      suggestion: """
        call this function in a step of a migration, or in writeWithoutTransaction { db in … } \
        after PRAGMA foreign_keys = OFF
        """)
  }

  private func requireForeignKeys(in db: Connection) throws {
    if try db.enforcesForeignKeys() { return }
    var tables = Set(try db.references(to: text.name).map(\.table.exact))
    let own = try db.fetchValue(
      "SELECT count(*) FROM pragma_foreign_key_list(\(text.name), 'main')", as: Int.self)
    if own > 0 { tables.insert(text.name.exact) }
    for table in tables.sorted().map(\.text) {
      guard let violation = try violation(in: table, db) else { continue }
      throw operation.failure(
        "a row of \(quoted(table)) refers to a missing row of \(quoted(violation))",
        suggestion: "repair or delete the rows with missing references before this call",
        .constraintViolated)
    }
  }

  /// Returns the parent table of a foreign key that a row of `table`
  /// violates, or `nil` if there is no such row.
  private func violation(in table: String, _ db: Connection) throws -> String? {
    do {
      return try db.fetchOne(
        "SELECT parent FROM pragma_foreign_key_check(\(table), 'main')"
      ) { row in try row[0] as String }
    } catch let error as StorageError where error.code == .misuse {
      // SQLite reports only a general error in this case.
      throw operation.failure(
        "a foreign key of \(quoted(table)) does not refer to a primary key or UNIQUE columns",
        suggestion: "declare the referenced columns as a primary key or UNIQUE",
        underlying: error.underlying)
    }
  }

  // MARK: Keys that were used are never assigned again

  private func sequence(in db: Connection) throws -> Int64? {
    guard try db.tableExists("sqlite_sequence") else { return nil }
    return try db.fetchValue(
      "SELECT max(seq) FROM main.sqlite_sequence WHERE name = \(table.name)", as: Int64?.self)
  }

  private func restore(_ sequence: Int64?, in db: Connection) throws {
    guard let sequence, text.isAutoincrementing else { return }
    try db.raiseSequence(sequence, of: text.name)
  }
}

extension Connection {
  /// Raises the stored sequence of a table, so that `AUTOINCREMENT` assigns only keys greater than
  /// `sequence`.
  func raiseSequence(_ sequence: Int64, of table: String) throws {
    let changed = try execute(
      "UPDATE main.sqlite_sequence SET seq = max(seq, \(sequence)) WHERE name = \(table)")
    if changed == 0 {
      try execute(
        "INSERT INTO main.sqlite_sequence(name, seq) VALUES (\(table), \(sequence))")
    }
  }
}
