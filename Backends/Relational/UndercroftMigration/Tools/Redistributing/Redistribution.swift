import UndercroftCore
import UndercroftSQLite

/// The redistribution of the rows of a partitioned table from `oldCount` to `newCount` tables.
struct Redistribution {
  let operation: SchemaOperation
  let table: String
  let key: String
  let oldCount: Int
  let newCount: Int

  func name(_ number: Int) -> String { "\(table)_\(number)" }

  private var added: Range<Int> { oldCount..<max(oldCount, newCount) }
  private var surplus: Range<Int> { newCount..<max(oldCount, newCount) }

  /// The number of the table to which a row is moved, as an SQL expression of the row's key.
  ///
  /// The value of the expression is not negative, even for a negative key.
  private var remainder: SQL {
    "((\(identifier: key) % \(newCount) + \(newCount)) % \(newCount))"
  }

  func run(in db: Connection) throws {
    let present = try presentCount(in: db)
    // The file has no tables yet, so there are no rows to move.
    if present == 0 { return }
    guard present == oldCount else {
      throw operation.failure(
        """
        the number of tables in the file, beginning with \(quoted(name(0))), is \(present), not \
        \(oldCount)
        """,
        suggestion: "pass \(present) for the argument \"from\"")
    }
    let check = try SchemaCheck(before: operation, in: db)
    try requireNoReferences(in: db)
    let total = try rows(of: oldCount, in: db)
    let largest = try largestKey(in: db)
    let columns = try db.columns(of: name(0)).filter { !$0.isGenerated }.map(\.name)
    for number in added { try create(number, in: db) }
    try move(columns, in: db)
    for number in surplus { try drop(number, in: db) }
    if let largest, try operation.statement(of: operation.table(name(0), in: db)).isAutoincrementing
    {
      try db.raiseSequence(largest, of: name(0))
    }
    let moved = try rows(of: newCount, in: db)
    guard moved == total else {
      throw operation.failure(
        "the tables had \(total) rows, and have \(moved) rows after the rows were moved",
        suggestion: """
          before this call, remove the ON CONFLICT clauses from the constraints of the tables; \
          if the tables have triggers, drop the triggers
          """,
        .constraintViolated)
    }
    try check.requireIntact(after: operation, in: db)
  }

  /// Returns the number of partitions that exist in the file, counted from partition 0 up to the
  /// first missing number.
  private func presentCount(in db: Connection) throws -> Int {
    var count = 0
    while try db.tableExists(name(count)) { count += 1 }
    return count
  }

  /// Throws if a foreign key refers to one of the existing partitions.
  ///
  /// Moving a row deletes it from its old table. If another row refers to the moved row, this
  /// deletion would fail, would delete or change the other row, or would leave a reference to a
  /// missing row.
  private func requireNoReferences(in db: Connection) throws {
    for number in 0..<oldCount {
      guard let other = try db.references(to: name(number)).first?.table else { continue }
      throw operation.failure(
        """
        a foreign key of \(quoted(other)) refers to \(quoted(name(number))), from which the moved \
        rows would be deleted
        """,
        suggestion: "remove the foreign key before this call, with rebuildTable(_:as:)")
    }
  }

  /// Moves every row to the table whose number is the remainder of the row's key divided by
  /// `newCount`.
  ///
  /// The rows are copied directly first. The copy fails if a row has the same unique value as
  /// another row that is not moved yet. In that case, all moving rows are first collected in a
  /// temporary table, which costs a second copy.
  private func move(_ columns: [String], in db: Connection) throws {
    let list = columns.map { "\(identifier: $0)" as SQL }.joined(separator: ", ")
    do {
      try db.transaction { db in
        // A moved row has the remainder of its new table. So deleting the rows with other
        // remainders from that table does not affect the row.
        for old in 0..<oldCount {
          for new in 0..<newCount where new != old {
            try copy(list, from: name(old), to: new, in: db)
          }
          try deleteMoved(old, in: db)
        }
      }
    } catch let error as StorageError where error.code == .constraintViolated {
      try moveByCollecting(list, in: db)
    }
  }

  private func moveByCollecting(_ list: SQL, in db: Connection) throws {
    let collected = try db.unusedName("undercroft_migration_moving")
    // Columns without a type convert no value.
    try db.execute("CREATE TABLE main.\(identifier: collected) (\(list))")
    for old in 0..<oldCount {
      try db.execute(
        """
        INSERT INTO main.\(identifier: collected) (\(list))
        SELECT \(list) FROM main.\(identifier: name(old)) WHERE \(remainder) <> \(old)
        """)
      try deleteMoved(old, in: db)
    }
    for new in 0..<newCount { try copy(list, from: collected, to: new, in: db) }
    try db.execute("DROP TABLE main.\(identifier: collected)")
  }

  private func copy(
    _ list: SQL, from source: String, to number: Int, in db: Connection
  ) throws {
    try db.execute(
      """
      INSERT INTO main.\(identifier: name(number)) (\(list))
      SELECT \(list) FROM main.\(identifier: source) WHERE \(remainder) = \(number)
      """)
  }

  private func deleteMoved(_ number: Int, in db: Connection) throws {
    try db.execute(
      "DELETE FROM main.\(identifier: name(number)) WHERE \(remainder) <> \(number)")
  }

  /// Drops a surplus table, and the full-text tables that would still read their text from it.
  ///
  /// Throws if the table still contains a row. Such a row was not moved, because it has no integer
  /// key and therefore no remainder.
  private func drop(_ number: Int, in db: Connection) throws {
    guard try rows(at: number, in: db) == 0 else {
      throw operation.failure(
        "rows of \(quoted(name(number))) have no integer key",
        suggestion: "give every row an integer key before this call")
    }
    try db.execute("DROP TABLE main.\(identifier: name(number))")
    for table in try FullTextTable.all(of: name(number), in: db) {
      try table.drop(in: db)
    }
  }

  private func rows(at number: Int, in db: Connection) throws -> Int {
    try db.fetchValue("SELECT count(*) FROM \(identifier: name(number))", as: Int.self)
  }

  private func rows(of count: Int, in db: Connection) throws -> Int {
    try (0..<count).reduce(0) { sum, number in sum + (try rows(at: number, in: db)) }
  }

  /// Creates a partition with the columns and indexes of the first partition.
  private func create(_ number: Int, in db: Connection) throws {
    let first = try operation.table(name(0), in: db)
    try operation.run(
      try operation.statement(of: first).named(name(number)), in: db,
      suggestion: "drop or rename the object that the error names before this call")
    let indexes = try db.schema().filter {
      $0.kind == .index && $0.table.folded == first.name.folded
    }
    for index in indexes { try operation.copy(index, from: first.name, to: name(number), in: db) }
  }

  // MARK: Keys that were used are never assigned again

  private func largestKey(in db: Connection) throws -> Int64? {
    guard try db.tableExists("sqlite_sequence") else { return nil }
    let names = (0..<oldCount).map(name)
    return try db.fetchValue(
      "SELECT max(seq) FROM sqlite_sequence WHERE name IN (\(names))", as: Int64?.self)
  }
}
