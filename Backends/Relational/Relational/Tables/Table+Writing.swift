import UndercroftCore
import UndercroftSQLite

// How everything is written that returns its rows: the checks of the table see them as they are kept, and undo them.

extension Table {
  /// Brings the table in line before it is written.
  func begin(in db: borrowing Connection) throws {
    guard db.isWriter else {
      throw StorageError(
        .misuse, "cannot write to \(quoted(name)): it is inside a read",
        cure: "call write { db in … }", backend: "sqlite")
    }
    try definition.requireTable()
    _ = try definition.standIn(in: db)
  }

  /// Runs a statement that returns the rows it writes, and calls `body` with each.
  ///
  /// It is run to its end: SQLite looks at foreign keys only there.
  func write(
    _ text: String, _ half: WriteHalf, given: Record? = nil, in db: borrowing Connection,
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

  /// Runs an update that returns the rows, and calls `body` with each.
  func update(
    _ sql: SQL, in db: borrowing Connection, _ body: (borrowing Row) throws -> Void
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

  /// Runs an update, and returns how many rows it changed.
  func update(_ sql: SQL, in db: borrowing Connection) throws -> Int {
    if !codec.checks.asksOfUpdates { return try db.execute(sql) }
    var count = 0
    try update(sql, in: db) { _ in count += 1 }
    return count
  }

  /// Writes one row, and returns it as it is kept; `nil` when there is none.
  func writeOne(
    _ text: String, _ half: WriteHalf, given: Record? = nil, in db: borrowing Connection,
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

  /// Returns what was kept of a row that was to be inserted.
  func kept(_ record: Record?) throws(StorageError) -> Record {
    if let record { return record }
    throw StorageError(
      .vetoed, "cannot insert into \(quoted(name)): a trigger of the table passed the row over",
      cure: "look at the schema's triggers for RAISE(IGNORE)", backend: "sqlite")
  }

  /// The places of the columns kept from these properties, each of which can be written.
  func places(of paths: [PartialKeyPath<Record>]) throws(StorageError) -> [Int] {
    var places: [Int] = []
    for path in paths {
      guard let place = codec.names.place(of: path) else {
        throw StorageError(
          .misuse,
          "cannot write \(codec.names.description(of: path)): no column of \(quoted(name)) is declared for it",
          cure: "declare a column for the property", backend: "sqlite")
      }
      if definition.columns[place].generator != nil {
        throw StorageError(
          .misuse,
          "cannot write the column \(quoted(definition.columns[place].name)): it is computed from others",
          cure: "leave it out", backend: "sqlite")
      }
      if !places.contains(place) { places.append(place) }
    }
    return places
  }
}
