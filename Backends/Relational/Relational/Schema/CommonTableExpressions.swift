import UndercroftCore
import UndercroftSQLite

/// The common table expressions that a statement needs before it, so that it reads every table as
/// it is declared.
///
/// This is the only place where they are collected, for reads and for writes. A derived table has
/// an expression under its reserved name. A table that a reader finds missing or incomplete has one
/// under its own name, which hides the table of the file.
struct CommonTableExpressions {
  private var seen: Set<ObjectIdentifier> = []
  private var derived: [(table: TableDefinition, sql: SQL)] = []
  private var substitutes: [ReadSubstitute] = []

  /// Collects those of some tables, and of whatever they are made of.
  ///
  /// On the connection of a writer this makes and completes the tables.
  init(of tables: [TableDefinition], in db: borrowing Connection) throws {
    for table in tables where seen.insert(ObjectIdentifier(table)).inserted {
      if !table.isInLine(in: db) { try add(table, in: db) }
    }
  }

  private mutating func add(_ table: TableDefinition, in db: borrowing Connection) throws {
    if let failure = table.failure { throw failure }
    switch table.source {
    case .derived(let rows):
      let rows = try rows(table, db)
      let list = SQL(unchecked: "\(table.quotedName)(\(table.columnList))")
      try add("\(list) AS (\(rows))", of: table)
    case .fullTextIndex(let indexed):
      if let substitute = try indexed.searchSubstitute(in: db) { add(substitute) }
    case nil:
      if db.isWriter {
        try TablePreparation(of: table).run(in: db)
      } else if let substitute = try ReadSubstitute(for: table, in: db) {
        add(substitute)
      }
    }
  }

  private mutating func add(_ sql: SQL, of table: TableDefinition) throws(StorageError) {
    let same = derived.first { SQLName.isSame($0.table.name, table.name) }
    guard let same else { return derived.append((table, sql)) }
    if same.sql.text.isExactly(sql.text) { return }
    throw StorageError(
      .misuse,
      """
      cannot read \(quoted(table.name)) in one statement by two declarations: they are made of \
      different tables
      """, cure: "give one of them another name", backend: "sqlite")
  }

  private mutating func add(_ substitute: ReadSubstitute) {
    let place = substitutes.firstIndex { SQLName.isSame($0.name, substitute.name) }
    guard let place else { return substitutes.append(substitute) }
    substitutes[place].merge(substitute)
  }

  /// Whether a statement that begins with the expressions reads a table from one of them.
  func define(_ table: TableDefinition) -> Bool {
    table.isDerived || substitutes.contains { SQLName.isSame($0.name, table.name) }
  }

  /// The expressions with commas between, as they stand after `WITH`, or `nil` if none is needed.
  var sql: SQL? {
    let all = substitutes.map(\.sql) + derived.map(\.sql)
    return all.isEmpty ? nil : all.joined(separator: ", ")
  }
}

extension TableDefinition {
  /// Puts the common table expressions that some tables need before a statement that reads them.
  static func ready(
    _ sql: SQL, reading tables: [TableDefinition], in db: borrowing Connection
  ) throws -> SQL {
    let needed = try CommonTableExpressions(of: tables, in: db).sql
    return needed.map { "WITH \($0) \(sql)" } ?? sql
  }

  /// Makes and completes the table of a writer; for a reader, which cannot, returns the common
  /// table expressions that it needs.
  // Swift 6.3 crashes when it inlines it into a loop.
  @inline(never)
  func standIn(in db: borrowing Connection) throws -> SQL? {
    if isInLine(in: db) { return nil }
    return try CommonTableExpressions(of: [self], in: db).sql
  }
}
