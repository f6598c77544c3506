import UndercroftCore
import UndercroftSQLite

/// The common table expressions that a statement needs so that it can read every table as declared.
///
/// Both reads and writes collect the expressions with this type, and
/// `TableDefinition.ready(_:reading:in:)` adds the expressions to a statement. A derived table (its
/// rows are computed from other tables) is always read from an expression with a reserved name. If
/// a read-only connection finds a stored table missing or incomplete, the statement reads an
/// expression with the name of this table instead (a ``ReadSubstitute``), which hides the stored
/// table. A writing connection needs no substitute, because `TableDefinition.ensureSchema(in:)`
/// adds the missing table or columns first.
struct CommonTableExpressions {
  private var seen: Set<ObjectIdentifier> = []
  private var derived: [(table: TableDefinition, sql: SQL)] = []
  private var substitutes: [ReadSubstitute] = []

  /// Collects the expressions of the tables that the connection cannot read from the file as
  /// declared.
  init(of tables: [TableDefinition], in db: Connection) throws {
    for table in tables where seen.insert(ObjectIdentifier(table)).inserted {
      if !table.isVerified(in: db) { try add(table, in: db) }
    }
  }

  private mutating func add(_ table: TableDefinition, in db: Connection) throws {
    if let failure = table.failure { throw failure }
    switch table.source {
    case .derived(let rows):
      let rows = try rows.query(as: table, in: db)
      let list = SQL(unchecked: "\(table.quotedName)(\(table.columnList))")
      try add("\(list) AS (\(rows))", of: table)
    case .fullTextIndex(let indexed):
      if let substitute = try indexed.searchSubstitute(in: db) { add(substitute) }
    case nil:
      if let substitute = try ReadSubstitute(for: table, in: db) { add(substitute) }
    }
  }

  private mutating func add(_ sql: SQL, of table: TableDefinition) throws(StorageError) {
    let same = derived.first { SQLName.isSame($0.table.name, table.name) }
    guard let same else { return derived.append((table, sql)) }
    if same.sql.text.isExactly(sql.text) { return }
    throw StorageError.table(
      """
      cannot read \(quoted(table.name)): the statement uses two different declarations of a \
      derived table with this name
      """,
      suggestion: """
        use only one of the two declarations in the statement, or rename one of the derived tables
        """)
  }

  private mutating func add(_ substitute: ReadSubstitute) {
    let index = substitutes.firstIndex { SQLName.isSame($0.name, substitute.name) }
    guard let index else { return substitutes.append(substitute) }
    substitutes[index].merge(substitute)
  }

  /// Returns whether one of the expressions defines the table.
  func defines(_ table: TableDefinition) -> Bool {
    table.isDerived || substitutes.contains { SQLName.isSame($0.name, table.name) }
  }

  /// The expressions, separated by commas in the syntax of `WITH`, or `nil` if there are no
  /// expressions.
  var sql: SQL? {
    let all = substitutes.map(\.sql) + derived.map(\.sql)
    return all.isEmpty ? nil : all.joined(separator: ", ")
  }
}

extension TableDefinition {
  /// Returns a statement, preceded by a `WITH` clause if one of the tables needs a common table
  /// expression.
  ///
  /// On a writing connection, the tables are first reconciled with their declarations: created, or
  /// extended by missing columns and indexes.
  ///
  /// - Parameter tables: The tables that the statement reads.
  static func ready(
    _ sql: SQL, reading tables: [TableDefinition], in db: Connection
  ) throws -> SQL {
    if db.isWriter { for table in tables { try table.ensureSchema(in: db) } }
    let needed = try CommonTableExpressions(of: tables, in: db).sql
    return needed.map { "WITH \($0) \(sql)" } ?? sql
  }

  /// Returns the common table expressions that present the table as declared, or `nil` if the table
  /// in the file can be read directly.
  ///
  /// This method changes nothing in the file.
  func readSubstitute(in db: Connection) throws -> SQL? {
    if isVerified(in: db) { return nil }
    return try CommonTableExpressions(of: [self], in: db).sql
  }
}
