import UndercroftCore
import UndercroftSQLite

/// Moves the rows of a partitioned table into another number of tables.
struct Redistribution {
  let work: SchemaOperation
  let table: String
  let key: String
  let oldCount: Int
  let newCount: Int

  func name(_ place: Int) -> String { "\(table)_\(place)" }

  private var added: Range<Int> { oldCount..<max(oldCount, newCount) }
  private var leftOver: Range<Int> { newCount..<max(oldCount, newCount) }

  /// The number of the table of a row.
  ///
  /// The expression is not negative, even for a negative key.
  private var remainder: SQL {
    "((\(identifier: key) % \(newCount) + \(newCount)) % \(newCount))"
  }

  func run(in db: Connection) throws {
    let present = try presentCount(in: db)
    // The file has no tables yet, so there are no rows to move.
    if present == 0 { return }
    guard present == oldCount else {
      throw work.failure(
        "the file has \(present) tables, not \(oldCount)", suggestion: "say from: \(present)")
    }
    let check = try SchemaCheck(before: work, in: db)
    try requireNoReferences(in: db)
    let total = try rows(of: oldCount, in: db)
    let greatest = try greatestKey(in: db)
    let columns = try db.columns(of: name(0)).filter { !$0.isGenerated }.map(\.name)
    for place in added { try make(place, in: db) }
    try move(columns, in: db)
    for place in leftOver { try drop(place, in: db) }
    if let greatest, try work.text(of: work.table(name(0), in: db)).isAutoincrementing {
      try db.keepSequence(greatest, of: name(0))
    }
    guard try rows(of: newCount, in: db) == total else {
      throw work.failure("the number of rows changed", .constraintViolated)
    }
    try check.requireWhole(after: work, in: db)
  }

  /// Returns the number of consecutive tables in the file, counted from `book_0`.
  private func presentCount(in db: Connection) throws -> Int {
    var count = 0
    while try db.tableExists(name(count)) { count += 1 }
    return count
  }

  /// Throws if a foreign key refers to one of the tables.
  ///
  /// Moving a row deletes it from its old table, which would
  /// delete the rows that refer to it or fail.
  private func requireNoReferences(in db: Connection) throws {
    for place in 0..<oldCount {
      guard let other = try db.references(to: name(place)).first?.table else { continue }
      throw work.failure(
        "\(quoted(other)) refers to \(quoted(name(place))), whose rows would be deleted there",
        suggestion: "take the reference away before, with rebuildTable(_:as:)")
    }
  }

  /// Moves every row whose remainder belongs to another table.
  ///
  /// The rows are copied directly first. This fails if a row has the same unique value as another
  /// row that is not moved yet. In that case all moving rows are first collected in a temporary
  /// table, which costs a second copy.
  private func move(_ columns: [String], in db: Connection) throws {
    let list = columns.map { "\(identifier: $0)" as SQL }.joined(separator: ", ")
    do {
      try db.transaction { db in
        // A row that has arrived has the remainder of its new table, so deleting the rows with
        // other remainders there does not affect it.
        for old in 0..<oldCount {
          for new in 0..<newCount where new != old {
            try copy(list, from: name(old), to: new, in: db)
          }
          try leave(old, in: db)
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
      try leave(old, in: db)
    }
    for new in 0..<newCount { try copy(list, from: collected, to: new, in: db) }
    try db.execute("DROP TABLE main.\(identifier: collected)")
  }

  private func copy(
    _ list: SQL, from source: String, to place: Int, in db: Connection
  ) throws {
    try db.execute(
      """
      INSERT INTO main.\(identifier: name(place)) (\(list))
      SELECT \(list) FROM main.\(identifier: source) WHERE \(remainder) = \(place)
      """)
  }

  private func leave(_ place: Int, in db: Connection) throws {
    try db.execute(
      "DELETE FROM main.\(identifier: name(place)) WHERE \(remainder) <> \(place)")
  }

  /// Drops a surplus table, and the full-text tables that would still read their texts from it.
  private func drop(_ place: Int, in db: Connection) throws {
    guard try rows(at: place, in: db) == 0 else {
      throw work.failure(
        "rows of \(quoted(name(place))) have no integer key",
        suggestion: "give each an integer as its key")
    }
    try db.execute("DROP TABLE main.\(identifier: name(place))")
    for words in try FullTextTable.all(of: name(place), in: db) {
      try words.drop(in: db)
    }
  }

  private func rows(at place: Int, in db: Connection) throws -> Int {
    try db.value("SELECT count(*) FROM \(identifier: name(place))", as: Int.self)
  }

  private func rows(of count: Int, in db: Connection) throws -> Int {
    try (0..<count).reduce(0) { sum, place in sum + (try rows(at: place, in: db)) }
  }

  /// Creates a table like the first one, with its indexes.
  private func make(_ place: Int, in db: Connection) throws {
    let first = try work.table(name(0), in: db)
    try work.run(try work.text(of: first).named(name(place)), in: db)
    let indexes = try db.schema().filter {
      $0.kind == .index && $0.table.folded == first.name.folded
    }
    for index in indexes { try work.copy(index, from: first.name, to: name(place), in: db) }
  }

  // MARK: Keys that were used are never assigned again

  private func greatestKey(in db: Connection) throws -> Int64? {
    guard try db.tableExists("sqlite_sequence") else { return nil }
    let names = (0..<oldCount).map(name)
    return try db.value(
      "SELECT max(seq) FROM sqlite_sequence WHERE name IN (\(names))", as: Int64?.self)
  }
}
