import UndercroftCore
import UndercroftSQLite

/// The reconciliation of a table in the file with its declaration, including the tables to which
/// the table refers.
///
/// The reconciliation is one transaction. Missing tables are created, missing columns are added,
/// and indexes and full-text indexes are updated to match the declarations.
struct SchemaReconciler: ~Copyable {
  private let table: TableDefinition

  init(of table: TableDefinition) { self.table = table }

  /// Reconciles the table and the tables it refers to, once for each connection and version of the
  /// schema.
  ///
  /// `TableDefinition.ensureSchema(in:)` calls this method before the first statement on the table
  /// by a writing connection. A read-only connection uses a ``ReadSubstitute`` instead.
  func run(in db: Connection) throws {
    if db.hasVerified(table) { return }
    let prepared = try db.transaction { db in try Self.prepareAll(from: table, in: db) }
    // The result is recorded after the changes, because each change
    // of the schema discards all recorded checks of the connection.
    for table in prepared { table.markVerified(in: db) }
  }

  /// Reconciles a table and all tables to which it refers by foreign keys, directly or indirectly.
  ///
  /// Each table is reconciled only once, because tables can refer to each other.
  private static func prepareAll(
    from table: TableDefinition, in db: Connection
  ) throws -> [TableDefinition] {
    var seen: Set = [SQLName.folded(table.name)]
    var tables = [table]
    var index = 0
    while index < tables.count {
      let next = tables[index]
      index += 1
      if let failure = next.failure { throw failure }
      try prepare(next, in: db)
      for key in next.foreignKeys {
        guard let target = try key.resolved(of: next.name).definition else { continue }
        if seen.insert(SQLName.folded(target.name)).inserted { tables.append(target) }
      }
    }
    return tables
  }

  private static func prepare(_ table: TableDefinition, in db: Connection) throws {
    guard let existing = try ExistingTable(table.name, in: db) else {
      if let companion = FullTextCompanion(of: table) { try companion.requireName(in: db) }
      try QueryCommand.createTable(table).run(in: db)
      return
    }
    let comparison = try TableComparison(table, with: existing)
    let isEmpty = try !comparison.missing.isEmpty && table.isEmpty(in: db)
    try comparison.check(table, owner: db.schemaOwner, isEmpty: isEmpty)
    for column in comparison.missing {
      try QueryCommand.addColumn(column, to: table.name).run(in: db)
    }
    try alignIndexes(of: table, in: db)
    try FullTextCompanion.align(table, in: db)
  }

  /// Creates missing indexes, recreates indexes whose declaration has changed, and drops indexes
  /// that are no longer declared.
  ///
  /// Indexes that raw SQL created remain. A missing index that is declared only for new tables is
  /// not created.
  private static func alignIndexes(
    of table: TableDefinition, in db: Connection
  ) throws {
    let present = try db.schema().filter {
      $0.kind == .index && SQLName.isSame($0.table, table.name)
        && $0.name.exact.begins(with: IndexNames.prefix)
    }
    let required = table.namedIndexes.filter { name, index, _ in
      !index.isForNewTables || present.contains { $0.name.isExactly(name) }
    }
    for existing in present
    where !required.contains(where: {
      $0.name.isExactly(existing.name) && $0.sql.exact == existing.sql?.exact
    }) {
      try QueryCommand.dropIndex(existing.name).run(in: db)
    }
    for (name, _, sql) in required
    where !present.contains(where: { $0.name.isExactly(name) && $0.sql?.exact == sql.exact }) {
      try db.execute(SQL(unchecked: sql))
    }
  }
}

extension TableDefinition {
  /// The declared indexes, each with its name in the schema and the statement that creates the
  /// index.
  var namedIndexes: [(name: String, index: IndexDefinition, sql: String)] {
    var names = IndexNames(on: name)
    return indexes.map { index in
      let indexName = names.name(index)
      return (indexName, index, DDLBuilder.create(index, named: indexName, on: name))
    }
  }

  func isEmpty(in db: Connection) throws -> Bool {
    try db.fetchOne("SELECT 1 FROM main.\(identifier: name) LIMIT 1") { _ in true } == nil
  }
}
