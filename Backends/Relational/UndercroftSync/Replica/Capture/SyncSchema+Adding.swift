import UndercroftCore
package import UndercroftSQLite

extension SyncSchema {
  /// Switches on synchronisation for tables of the application, and captures their changes from
  /// then on.
  ///
  /// Existing rows become pending insertions, in several transactions that do not block readers. If
  /// the call is interrupted, repeat it before the scope is synchronised. A call with the same
  /// tables changes nothing. Tables that were added earlier remain, and are adapted to the present
  /// schema as ``refresh(in:expressions:)`` does.
  ///
  /// An operation states a version that the scope had when the change was captured. If the server
  /// has compacted the scope beyond this version, it does not apply insertions and increments, and
  /// stores them as conflicts of the kind `stale`. The reason is that the server may have applied
  /// such an operation before, and then removed it from its ledger.
  ///
  /// Rows that existed before the replica received anything from the server are inserted
  /// nevertheless. The server never removes the tombstones of such rows, so it recognises an
  /// insertion that it has applied before. If the server already has a row with the same
  /// identifier, an insertion that adds to counters becomes a conflict.
  ///
  /// If the rows of a table came from the same scope, do not add the table again: the server cannot
  /// distinguish rows that other devices have deleted since from new rows. Delete the rows first,
  /// and pull them after the call.
  ///
  /// - Throws: ``StorageError/Code/notSupported`` for a table whose changes cannot be captured;
  ///   ``StorageError/Code/constraintViolated`` if the key of an existing row cannot be an
  ///   identifier; ``StorageError/Code/misuse`` for unknown columns, and if the scope belongs to
  ///   another account or a table to another scope.
  package static func add(
    _ tables: [SyncedTable], toScope scope: ScopeIdentifier, account: String,
    direction: SyncDirection = .twoWay, in database: Database,
    environment: SyncEnvironment = .system, expressions: CaptureExpressions = .sqlite,
    batchSize: Int = 5_000
  ) throws {
    try validate(tables, scope, account)
    try database.write(from: .sync) { db in
      try create(in: db)
      // The schema can have changed since the last call, such as by a migration.
      try refresh(in: db, expressions: expressions)
      let scopeID = try ensure(scope, account, direction, environment, in: db)
      try define(tables, inScope: scopeID, expressions, in: db)
    }
    for table in try database.read(CapturedTable.load) {
      try enqueueRows(of: table, in: database, expressions, batchSize: batchSize)
    }
  }

  /// Throws if a table is listed twice, or if a message cannot contain the names.
  private static func validate(
    _ tables: [SyncedTable], _ scope: ScopeIdentifier, _ account: String
  ) throws {
    for (noun, name) in [("scope name", scope.text), ("account name", account)] {
      do throws(WireError) { try WireForm.validate(name: name, as: noun) } catch {
        throw StorageError(
          .misuse, "cannot create a SyncEngine: \(error.reason)",
          suggestion: "pass a name of 1 to \(SyncLimits.nameBytes) bytes without NUL characters",
          backend: "sync")
      }
    }
    var names: Set<ExactString> = []
    for table in tables where !names.insert(table.name.folded).inserted {
      throw StorageError.cannotCapture(
        table.name, "the table is listed twice in the tables of the SyncEngine",
        suggestion: "remove one of the two entries", code: .misuse)
    }
  }

  private static func ensure(
    _ scope: ScopeIdentifier, _ account: String, _ direction: SyncDirection,
    _ environment: SyncEnvironment, in db: Connection
  ) throws -> Int64 {
    let found = try db.fetchOne(
      "SELECT scope_id, account FROM sync_scope WHERE name = \(scope.text)"
    ) { row in (id: try row[0] as Int64, account: try row[1] as String) }
    if let found {
      guard found.account.isExactly(account) else {
        throw StorageError(
          .misuse,
          """
          cannot synchronise the scope \(quoted(scope.text)) for the account \
          \(quoted(account)): in the database of the SyncEngine, the scope belongs to the account \
          \(quoted(found.account))
          """,
          suggestion: "use a separate database for each account", backend: "sync")
      }
      try db.execute(
        """
        UPDATE sync_scope SET direction = \(direction)
        WHERE scope_id = \(found.id) AND direction <> \(direction)
        """)
      return found.id
    }
    try db.execute(
      """
      INSERT INTO sync_scope(name, account, direction, replica)
      VALUES (\(scope.text), \(account), \(direction), \(environment.makeIdentifier()))
      """)
    return db.lastInsertedRowID
  }

  private static func define(
    _ tables: [SyncedTable], inScope scopeID: Int64, _ expressions: CaptureExpressions,
    in db: Connection
  ) throws {
    let existing = try CapturedTable.load(in: db)
    var added: [(SourceTable, CapturedTable, ColumnRoles)] = []
    for table in tables {
      let source = try SourceTable(table.name, in: db)
      let found = existing.first { $0.name.folded == source.name.folded }
      if let found, found.scopeID != scopeID {
        let name: String? = try db.fetchValue(
          "SELECT name FROM sync_scope WHERE scope_id = \(found.scopeID)")
        throw StorageError.cannotCapture(
          table.name, "the table already belongs to the scope \(quoted(name ?? ""))",
          suggestion: "remove the table from the tables of this SyncEngine", code: .misuse)
      }
      let captured = try found ?? insert(source, inScope: scopeID, in: db)
      added.append((source, captured, try ColumnRoles(table, source)))
    }
    let all = try CapturedTable.load(in: db)
    for (source, captured, roles) in added {
      try install(source, as: captured, roles, among: all, in: db)
    }
    // A foreign key of another table may refer to a table that was added now.
    for other in existing where !added.contains(where: { $0.1.tableID == other.tableID }) {
      try refresh(other, among: all, in: db)
    }
    try installTriggers(expressions, in: db)
  }

  private static func insert(
    _ source: SourceTable, inScope scopeID: Int64, in db: Connection
  ) throws -> CapturedTable {
    try db.execute(
      """
      INSERT INTO sync_table(name, scope_id, key_column, identity)
      VALUES (\(source.name), \(scopeID), \(source.keyColumn), \(source.identity.rawValue))
      """)
    return CapturedTable(
      tableID: db.lastInsertedRowID, scopeID: scopeID, name: source.name,
      keyColumn: source.keyColumn, identity: source.identity, columns: [])
  }
}
