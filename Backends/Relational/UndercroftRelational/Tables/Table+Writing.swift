import UndercroftCore
import UndercroftSQLite

// The shared implementation of all writes of rows. The checks of the table receive each row as
// stored. If a check throws, the write is rolled back.

extension Table {
  /// Verifies that the connection can write, and reconciles the table in the file with its
  /// declaration: creates the table, or adds missing columns and indexes.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the connection is inside a read, if the table is
  ///   derived from other tables, or if the table in the file cannot be reconciled.
  func prepareToWrite(in db: Connection) throws {
    guard db.isWriter else { throw StorageError.insideRead("write to the table \(quoted(name))") }
    try definition.requireTable()
    try definition.ensureSchema(in: db)
  }

  // MARK: One row

  /// Writes one row, and returns the number of rows that were written, which is 0 or 1.
  ///
  /// - Throws: ``StorageError/Code/vetoed`` if a trigger skipped a row that must be written.
  @discardableResult
  func write(
    _ row: RowValues<Record>, _ operation: RowOperation, in db: Connection
  ) throws -> Int {
    try prepareToWrite(in: db)
    return try withStatement(for: operation, row, in: db) { statement, db in
      try run(statement, row, in: db)
    }
  }

  /// Writes one row, calls `body` with the row as stored, and
  /// returns the number of rows that were written.
  ///
  /// - Throws: ``StorageError/Code/vetoed`` if a trigger skipped a row that must be written.
  @discardableResult
  func write(
    _ row: RowValues<Record>, _ operation: RowOperation, in db: Connection,
    _ body: (borrowing Row) throws -> Void
  ) throws -> Int {
    try prepareToWrite(in: db)
    return try withStatement(for: operation, row, in: db) { statement, db in
      try run(statement, row, in: db, body)
    }
  }

  /// Writes one row, and returns the row as stored, or `nil` if no row was written.
  func fetch(
    _ row: RowValues<Record>, _ operation: RowOperation, in db: Connection
  ) throws -> Record? {
    var stored: Record?
    try write(row, operation, in: db) { row in stored = try codec.decode(row, 0) }
    return stored
  }

  /// Writes one row, and returns the stored value of the column at `columnIndex`, or `nil` if no
  /// row was written.
  func fetch<Value: SQLReadable>(
    _ columnIndex: Int, as type: Value.Type, of row: RowValues<Record>, _ operation: RowOperation,
    in db: Connection
  ) throws -> Value? {
    var stored: Value?
    try write(row, operation, in: db) { row in stored = try row[columnIndex] as Value }
    return stored
  }

  /// Returns the result of a write that must write a row.
  ///
  /// - Throws: ``StorageError/Code/vetoed`` if the result is `nil`, because a trigger skipped the
  ///   row.
  func written<Result>(_ result: Result?) throws(StorageError) -> Result {
    if let result { return result }
    throw StorageError.table(
      "cannot write to the table \(quoted(name)): a trigger of this table skipped the row",
      suggestion: StorageError.skippedRowSuggestion, as: .vetoed)
  }

  private func withStatement(
    for operation: RowOperation, _ row: RowValues<Record>, in db: Connection,
    _ run: (RowStatement, Connection) throws -> Int
  ) throws -> Int {
    let count: Int
    switch operation {
    case .insert(let only, let conflict):
      count = try run(try insertion(of: row, only: only, conflict, in: db), db)
    case .update(let only): count = try run(try update(of: row, only: only), db)
    case .upsert(let upsert):
      try upsert.target.require(row, of: self)
      if try findsRowFirst(upsert, row) {
        count = try db.transaction { db in
          try run(try self.upsert(of: row, upsert, byFindingRowIn: db), db)
        }
      } else {
        count = try run(try self.upsert(of: row, upsert, in: db), db)
      }
    }
    if count == 0, operation.requiresWrittenRow { return try written(nil) }
    return count
  }

  private func run(
    _ statement: RowStatement, _ row: RowValues<Record>, in db: Connection
  ) throws -> Int {
    guard let operation = statement.operation, !codec.checks.runs(on: operation),
      !(operation == .insert && row.record != nil && statements.orderCheck.isActive)
    else { return try run(statement, row, in: db) { _ in } }
    guard let columnIndices = statement.columnIndices else { return try db.execute(statement.sql) }
    return try db.prepare(statement.sql) { prepared in
      try bind(row, columnIndices, to: prepared)
      return try prepared.runCountingChanges()
    }
  }

  /// Runs a statement, runs the checks of the table on the stored row, and then calls `body` with
  /// the stored row.
  ///
  /// The statement is run to completion, because SQLite checks immediate foreign keys only at the
  /// end of the statement.
  private func run(
    _ statement: RowStatement, _ row: RowValues<Record>, in db: Connection,
    _ body: (borrowing Row) throws -> Void
  ) throws -> Int {
    guard let operation = statement.operation, codec.checks.runs(on: operation) else {
      return try step(statement, row, in: db, body)
    }
    let checks = codec.checks[operation]
    let passed = statement.reportsRecord ? row.record : nil
    return try db.transaction { db in
      try step(statement, row, in: db) { stored in
        try check(stored, checks, passed)
        try body(stored)
      }
    }
  }

  private func step(
    _ statement: RowStatement, _ row: RowValues<Record>, in db: Connection,
    _ body: (borrowing Row) throws -> Void
  ) throws -> Int {
    var count = 0
    let sql = statement.returning(statements.returning)
    let isInserted = statement.operation == .insert && row.record != nil
    func receive(_ stored: borrowing Row) throws {
      count += 1
      if isInserted { try verifyOrder(of: stored) }
      try body(stored)
    }
    if let columnIndices = statement.columnIndices {
      try db.prepare(sql) { prepared in
        try bind(row, columnIndices, to: prepared)
        try prepared.forEach(receive)
      }
    } else {
      try db.forEach(sql, receive)
    }
    return count
  }

  /// Verifies with an inserted row that no two columns of the table are declared in the wrong
  /// order.
  ///
  /// The compiler cannot detect that two columns of the same type are swapped. Only the first 16
  /// rows that the program inserts into the table are verified.
  func verifyOrder(of stored: borrowing Row) throws {
    guard statements.orderCheck.isDue else { return }
    try codec.requireOrder(codec.decode(stored, 0), as: stored, of: definition)
  }

  // MARK: Rows of a condition

  /// Runs an update, and calls `body` with each changed row.
  func update(
    _ sql: SQL, in db: Connection, _ body: (borrowing Row) throws -> Void
  ) throws {
    let sql = sql + SQL(unchecked: statements.returning)
    if !codec.checks.runsOnUpdates { return try db.forEach(sql, body) }
    let checks = codec.checks.updates
    try db.transaction { db in
      try db.forEach(sql) { row in
        try check(row, checks, nil)
        try body(row)
      }
    }
  }

  /// Runs an update, and returns the number of changed rows.
  func update(_ sql: SQL, in db: Connection) throws -> Int {
    if !codec.checks.runsOnUpdates { return try db.execute(sql) }
    var count = 0
    try update(sql, in: db) { _ in count += 1 }
    return count
  }

  private func check(
    _ row: borrowing Row, _ checks: [RecordChecks<Record>.Check], _ passed: Record?
  ) throws {
    let stored = try codec.decode(row, 0)
    for check in checks { try check(stored, passed) }
  }
}
