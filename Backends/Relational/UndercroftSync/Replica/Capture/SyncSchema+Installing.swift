import UndercroftCore
import UndercroftSQLite

extension SyncSchema {
  /// The maximum number of columns of a captured table.
  ///
  /// SQLite allows 2,000 columns in a table and in a view. The shadow table, and the view through
  /// which the triggers pass a row, have three other columns.
  private static let maximumColumnCount = 1_997

  /// Writes the columns and helper tables of a table, if they differ from the existing ones.
  ///
  /// Call ``installTriggers(_:in:)`` for all tables afterwards.
  static func install(
    _ source: SourceTable, as table: CapturedTable, _ roles: ColumnRoles,
    among tables: [CapturedTable], in db: Connection
  ) throws {
    guard table.identity == source.identity else {
      throw StorageError.cannotCapture(
        source.name,
        """
        the primary key \(quoted(source.keyColumn)) now has the type \
        \(source.identity.rawValue), but the table was synchronised with keys of the type \
        \(table.identity.rawValue)
        """,
        suggestion: """
          create a new table with another name, copy the rows to it, and synchronise the new table
          """)
    }
    guard source.columns.count <= maximumColumnCount else {
      throw StorageError.cannotCapture(
        source.name,
        """
        the table has \(source.columns.count) columns that are neither the primary key nor \
        generated, but the maximum is \(maximumColumnCount)
        """,
        suggestion: "split the table into several tables")
    }
    try requireValidKeys(source, table, in: db)
    var captured = table
    captured.name = source.name
    captured.keyColumn = source.keyColumn
    let count = try storedColumnCount(of: table, in: db)
    captured.columns = try columns(of: source, table, roles, among: tables, from: count)
    try requirePositions(of: captured)
    if count == nil { try requireValidCounters(captured, in: db) }
    try requireSharedKeys(captured, among: tables)
    try store(captured, insteadOf: table, in: db)
    try addStoredColumns(of: captured, from: count, in: db)
    try addReferenceIndexes(of: captured, in: db)
  }

  /// Returns the columns of a table: existing ones at their positions, and new ones after all
  /// positions that were ever used.
  private static func columns(
    of source: SourceTable, _ table: CapturedTable, _ roles: ColumnRoles,
    among tables: [CapturedTable], from count: Int?
  ) throws -> [CapturedColumn] {
    let positions = Dictionary(
      table.columns.map { ($0.name.folded, $0.position) }, uniquingKeysWith: { first, _ in first })
    var next = count ?? 0
    return try source.columns.map { column in
      let position = positions[column.name.folded] ?? next
      if position == next { next += 1 }
      return try roles.column(column, of: source, position: position, among: tables)
    }.sorted { $0.position < $1.position }
  }

  /// Throws if the helper tables would have more columns than SQLite allows.
  private static func requirePositions(of table: CapturedTable) throws {
    let count = (table.columns.last?.position ?? -1) + 1
    guard count > maximumColumnCount else { return }
    throw StorageError.cannotCapture(
      table.name,
      """
      the table has had \(count) different columns since its synchronisation was switched on, but \
      the maximum is \(maximumColumnCount)
      """,
      suggestion: """
        create a new table with another name, copy the rows to it, and synchronise the new table
        """)
  }

  /// Throws if a column refers to a row of another scope by an integer key.
  ///
  /// Integer keys are replaced by identifiers only within a scope. An integer key that is not
  /// replaced can denote a different row in every other database.
  private static func requireSharedKeys(
    _ table: CapturedTable, among tables: [CapturedTable]
  ) throws {
    for column in table.columns where column.role == .reference {
      guard let name = column.referencedTable,
        let target = tables.first(where: { $0.name.isExactly(name) }),
        target.scopeID != table.scopeID, target.identity == .integer
      else { continue }
      throw StorageError.cannotCapture(
        table.name,
        """
        the column \(quoted(column.name)) refers to the table \(quoted(name)) of another scope, \
        and the integer keys of the rows of \(quoted(name)) are different on each device
        """,
        suggestion: """
          synchronise both tables with the same scope, or copy the rows of \(quoted(name)) to a \
          new table that has another name and a primary key of the type TEXT, and refer to the new \
          table
          """)
    }
  }

  private static func store(
    _ table: CapturedTable, insteadOf old: CapturedTable, in db: Connection
  ) throws {
    guard table != old else { return }
    try db.execute(
      """
      UPDATE sync_table SET name = \(table.name), key_column = \(table.keyColumn)
      WHERE table_id = \(table.tableID)
      """)
    try db.execute("DELETE FROM sync_column WHERE table_id = \(table.tableID)")
    for column in table.columns {
      try db.execute(
        """
        INSERT INTO sync_column(table_id, name, position, role, referenced_table)
        VALUES (\(table.tableID), \(column.name), \(column.position), \(column.role.rawValue),
          \(column.referencedTable))
        """)
    }
  }

  // MARK: Helper tables

  /// The number of positions that the helper tables have columns for, or `nil` if the tables do not
  /// exist.
  private static func storedColumnCount(
    of table: CapturedTable, in db: Connection
  ) throws -> Int? {
    guard try db.tableExists(table.imageTable) else { return nil }
    return try db.columns(of: table.imageTable).count - 2
  }

  private static func addStoredColumns(
    of table: CapturedTable, from count: Int?, in db: Connection
  ) throws {
    let last = table.columns.last?.position ?? -1
    guard let count else {
      try db.executeScript(SQL(unchecked: storedRowTables(of: table, columnCount: last + 1)))
      return
    }
    for column in table.columns where column.position >= count {
      for name in [table.shadowTable, table.imageTable] {
        try db.execute(SQL(unchecked: "ALTER TABLE \(name) ADD COLUMN \(column.storedName)"))
      }
      try copyValues(of: column, in: table, db)
    }
  }

  /// Creates the missing indexes that find the stored copies of rows that refer to a deleted row.
  private static func addReferenceIndexes(
    of table: CapturedTable, in db: Connection
  ) throws {
    for column in table.columns where column.role == .reference {
      try db.execute(
        SQL(
          unchecked: """
            CREATE INDEX IF NOT EXISTS \(table.shadowTable)_\(column.storedName)
            ON \(table.shadowTable)(\(column.storedName)) WHERE \(column.storedName) IS NOT NULL
            """))
    }
  }

  /// Copies the values of a new column from the visible rows into the helper tables, which contain
  /// copies of these rows.
  ///
  /// Without the values, the default value of the column would count as a change. The copy of a row
  /// that is deleted at present gets the default value, if it is a constant.
  private static func copyValues(
    of column: CapturedColumn, in table: CapturedTable, _ db: Connection
  ) throws {
    let definition = try db.columns(of: table.name).first { $0.name.isExactly(column.name) }
    // ALTER TABLE accepts constants only; another default belongs to a table that was rebuilt.
    let constant = try definition?.defaultValue.flatMap { try SyncSchema.constant($0, in: db) }
    let row = """
      SELECT \(column.name.quotedIdentifier) FROM \(table.name.quotedIdentifier)
      WHERE \(table.keyColumn.quotedIdentifier) =
      """
    let records = [
      (table.shadowTable, "\(table.shadowTable).record_id"),
      (
        table.imageTable,
        "(SELECT o.record_id FROM sync_to_sync o WHERE o.local_id = \(table.imageTable).local_id)"
      ),
    ]
    for (name, record) in records {
      try db.execute(
        SQL(
          unchecked: """
            UPDATE \(name) SET \(column.storedName) = (
              \(row) (SELECT primary_key FROM sync_record WHERE record_id = \(record))
                COLLATE BINARY)
            WHERE exists_
            """))
      guard let constant else { continue }
      let stored = "(SELECT primary_key FROM sync_record WHERE record_id = \(record))"
      let visible = SQL(unchecked: "\(row) \(stored) COLLATE BINARY")
      try db.execute(
        """
        UPDATE \(identifier: name) SET \(identifier: column.storedName) = \(constant.sql)
        WHERE exists_ AND NOT EXISTS (\(visible))
        """)
    }
  }

  // MARK: Triggers

  /// Writes the triggers of all tables, if they differ from the existing ones.
  ///
  /// The triggers of a table depend on the columns of other tables that refer to the table.
  static func installTriggers(_ expressions: CaptureExpressions, in db: Connection) throws {
    let existing = Set(try db.schema().compactMap { $0.sql?.exact })
    let tables = try CapturedTable.load(in: db)
    for table in tables {
      let triggers = CaptureTriggers(
        captured: table, source: try SourceTable(table.name, in: db),
        referringColumns: ReferringColumn.columns(referringTo: table, among: tables),
        expressions: expressions)
      guard !triggers.statements.allSatisfy({ existing.contains($0.exact) }) else { continue }
      for statement in CaptureTriggers.removal(of: table) + triggers.statements {
        try db.execute(SQL(unchecked: statement))
      }
    }
  }

  private static func requireValidCounters(_ table: CapturedTable, in db: Connection) throws {
    for counter in table.columns where counter.role == .counter {
      let condition = CaptureTriggers.isInvalidCounter(counter.name.quotedIdentifier)
      let name = table.name.quotedIdentifier
      let count: Int = try db.fetchValue(
        SQL(unchecked: "SELECT count(*) FROM \(name) WHERE \(condition)"))
      guard count > 0 else { continue }
      throw StorageError.cannotCapture(
        table.name,
        """
        the counter \(quoted(counter.name)) must be an integer or NULL in each row, but \
        \(count == 1 ? "1 row contains" : "\(count) rows contain") another value
        """,
        suggestion: """
          correct the counters of the rows that `SELECT * FROM \(name) WHERE \(condition)` returns
          """,
        code: .constraintViolated)
    }
  }

  private static func requireValidKeys(
    _ source: SourceTable, _ table: CapturedTable, in db: Connection
  ) throws {
    guard !source.keyIsRowID else { return }
    let triggers = CaptureTriggers(
      captured: table, source: source, referringColumns: [], expressions: .sqlite)
    let condition = triggers.isInvalidKey(of: triggers.table)
    let count: Int = try db.fetchValue(
      SQL(unchecked: "SELECT count(*) FROM \(triggers.table) WHERE \(condition)"))
    guard count == 0 else {
      throw StorageError.cannotCapture(
        source.name,
        """
        the primary key \(quoted(source.keyColumn)) of each row must be \
        \(CaptureTriggers.keyType(of: table)), but the \
        \(count == 1 ? "key of 1 row is" : "keys of \(count) rows are") not
        """,
        suggestion: """
          correct the primary keys of the rows that \
          `SELECT * FROM \(triggers.table) WHERE \(condition)` returns
          """,
        code: .constraintViolated)
    }
  }
}
