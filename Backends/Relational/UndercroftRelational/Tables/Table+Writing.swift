import UndercroftCore
import UndercroftSQLite

// The shared implementation of writes that return their rows. The checks of
// the table receive each row as stored, and roll the write back if they throw.

extension Table {
  /// Verifies that the connection can write, and reconciles the
  /// table in the file with its declaration.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the connection is inside a read.
  func prepareToWrite(in db: Connection) throws {
    guard db.isWriter else { throw StorageError.insideRead("write to \(quoted(name))") }
    try definition.requireTable()
    try definition.ensureSchema(in: db)
  }

  /// Runs a statement that returns the rows it writes, and calls `body` with each.
  ///
  /// The statement always runs to completion, because SQLite
  /// checks immediate foreign keys only there.
  func write(
    _ text: String, _ half: WriteOperation, given: Record? = nil, in db: Connection,
    bind: (borrowing Statement) throws -> Void, _ body: (borrowing Row) throws -> Void
  ) throws {
    if !codec.checks.asks(of: half) {
      return try db.prepare(SQL(unchecked: text)) { statement in
        try bind(statement)
        try statement.forEach(body)
      }
    }
    let checks = codec.checks[half]
    try db.transaction { db in
      try db.prepare(SQL(unchecked: text)) { statement in
        try bind(statement)
        try statement.forEach { row in
          try check(row, checks, given)
          try body(row)
        }
      }
    }
  }

  /// Runs an update that returns the changed rows, and calls `body` with each.
  func update(
    _ sql: SQL, in db: Connection, _ body: (borrowing Row) throws -> Void
  ) throws {
    let sql = sql + SQL(unchecked: statements.returning)
    if !codec.checks.asksOfUpdates { return try db.forEach(sql, body) }
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
    if !codec.checks.asksOfUpdates { return try db.execute(sql) }
    var count = 0
    try update(sql, in: db) { _ in count += 1 }
    return count
  }

  /// Writes one row, and returns it as stored, or `nil` if the statement wrote no row.
  func writeOne(
    _ text: String, _ half: WriteOperation, given: Record? = nil, in db: Connection,
    bind: (borrowing Statement) throws -> Void
  ) throws -> Record? {
    var kept: Record?
    try write(text, half, given: given, in: db, bind: bind) { row in
      let record = try codec.decode(row, 0)
      if statements.orderCheck.isDue { try codec.requireOrder(record, as: row, of: definition) }
      kept = record
    }
    return kept
  }

  private func check(
    _ row: borrowing Row, _ checks: [RecordChecks<Record>.Check], _ given: Record?
  ) throws {
    let kept = try codec.decode(row, 0)
    for check in checks { try check(kept, given) }
  }

  /// Returns the inserted record, or throws an error if a trigger prevented the insertion.
  func kept(_ record: Record?) throws(StorageError) -> Record {
    if let record { return record }
    throw StorageError.table(
      "cannot insert into \(quoted(name)): a trigger of the table passed the row over",
      suggestion: "check the triggers for RAISE(IGNORE)", as: .vetoed)
  }

  /// Returns the indices of the columns of these properties.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if a property has no
  ///   column, or if its column is computed.
  func places(of paths: [PartialKeyPath<Record>]) throws(StorageError) -> [Int] {
    var places: [Int] = []
    for path in paths {
      guard let place = codec.names.place(of: path) else {
        throw StorageError.table(
          "cannot write \(codec.names.description(of: path)): no column of \(quoted(name)) is declared for it",
          suggestion: "declare a column for the property")
      }
      if definition.columns[place].generator != nil {
        throw StorageError.table(
          "cannot write the column \(quoted(definition.columns[place].name)): it is a generated column",
          suggestion: "leave it out")
      }
      if !places.contains(place) { places.append(place) }
    }
    return places
  }
}
