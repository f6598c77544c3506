import UndercroftCore
import UndercroftSQLite

/// The way of rows from so many tables into so many others.
struct Redistribution {
  let work: SchemaWork
  let table: String
  let key: String
  let oldCount: Int
  let newCount: Int

  func name(_ place: Int) -> String { "\(table)_\(place)" }

  private var added: Range<Int> { oldCount..<max(oldCount, newCount) }
  private var leftOver: Range<Int> { newCount..<max(oldCount, newCount) }

  /// Not negative for a negative key either.
  private var remainder: SQL {
    "((\(identifier: key) % \(newCount) + \(newCount)) % \(newCount))"
  }

  func run(in db: borrowing Connection) throws {
    let present = try presentCount(in: db)
    // Nothing was written yet: there is nothing to move.
    if present == 0 { return }
    guard present == oldCount else {
      throw work.failure(
        "the file has \(present) tables, not \(oldCount)", cure: "say from: \(present)")
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
      throw work.failure("not as many rows arrived as there were", .constraintViolated)
    }
    try check.requireWhole(after: work, in: db)
  }

  /// How many tables of this name the file has, counted from `book_0` on.
  private func presentCount(in db: borrowing Connection) throws -> Int {
    var count = 0
    while try db.tableExists(name(count)) { count += 1 }
    return count
  }

  /// A row that moves is deleted where it was, and what refers to it would go with it or be in the way.
  private func requireNoReferences(in db: borrowing Connection) throws {
    for place in 0..<oldCount {
      guard let other = try db.references(to: name(place)).first?.table else { continue }
      throw work.failure(
        "\(quoted(other)) refers to \(quoted(name(place))), whose rows would be deleted there",
        cure: "take the reference away before, with rebuildTable(_:as:)")
    }
  }

  /// Moves every row whose remainder is that of another table.
  ///
  /// Rows are copied directly first. A row may then meet another one with the same unique value that has yet to leave;
  /// in that case all moving rows are collected in a table of their own, which costs a second copy.
  private func move(_ columns: [String], in db: borrowing Connection) throws {
    let list = columns.map { "\(identifier: $0)" as SQL }.joined(separator: ", ")
    do {
      try db.transaction { db in
        // A row that has arrived has the remainder of its new table, which therefore keeps it when it is emptied later.
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

  private func moveByCollecting(_ list: SQL, in db: borrowing Connection) throws {
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
    _ list: SQL, from source: String, to place: Int, in db: borrowing Connection
  ) throws {
    try db.execute(
      """
      INSERT INTO main.\(identifier: name(place)) (\(list))
      SELECT \(list) FROM main.\(identifier: source) WHERE \(remainder) = \(place)
      """)
  }

  private func leave(_ place: Int, in db: borrowing Connection) throws {
    try db.execute(
      "DELETE FROM main.\(identifier: name(place)) WHERE \(remainder) <> \(place)")
  }

  /// Drops a table that is left over, and the full-text tables that would go on to ask for its rows.
  private func drop(_ place: Int, in db: borrowing Connection) throws {
    guard try rows(at: place, in: db) == 0 else {
      throw work.failure(
        "rows of \(quoted(name(place))) were left behind", cure: "give each an integer as its key")
    }
    try db.execute("DROP TABLE main.\(identifier: name(place))")
    for words in try FullTextTable.all(of: name(place), in: db) {
      try words.drop(in: db)
    }
  }

  private func rows(at place: Int, in db: borrowing Connection) throws -> Int {
    try db.value("SELECT count(*) FROM \(identifier: name(place))", as: Int.self)
  }

  private func rows(of count: Int, in db: borrowing Connection) throws -> Int {
    try (0..<count).reduce(0) { sum, place in sum + (try rows(at: place, in: db)) }
  }

  /// Makes a table as the first one is, with its indexes.
  private func make(_ place: Int, in db: borrowing Connection) throws {
    let first = try work.table(name(0), in: db)
    try work.run(try work.text(of: first).named(name(place)), in: db)
    let indexes = try db.schema().filter {
      $0.kind == .index && $0.table.folded == first.name.folded
    }
    for index in indexes { try work.copy(index, from: first.name, to: name(place), in: db) }
  }

  // MARK: Keys that were used are never given again

  private func greatestKey(in db: borrowing Connection) throws -> Int64? {
    guard try db.tableExists("sqlite_sequence") else { return nil }
    let names = (0..<oldCount).map(name)
    return try db.value(
      "SELECT max(seq) FROM sqlite_sequence WHERE name IN (\(names))", as: Int64?.self)
  }
}
