import UndercroftCore
public import UndercroftSQLite

extension Connection {
  /// Moves the rows of a partitioned table, `book_0` to `book_3`, into another number of tables by the remainder of their keys.
  ///
  /// It takes names alone and looks at no declaration, so that a released migration step may call it. All of it is one transaction, and every
  /// row is counted at the end. Missing tables are made as `book_0` is, and those that are left over, empty by then, are dropped.
  ///
  /// - Throws: ``StorageError/Code/misuse`` when the file has another number of tables than `count`, and what SQLite has against a row in its new
  ///   table, such as a value that is unique there; nothing is moved then.
  public func redistribute(
    _ table: String, key: String, from count: Int, to newCount: Int
  ) throws {
    guard count > 0, newCount > 0 else {
      throw StorageError(
        .misuse,
        "cannot redistribute \(quoted(table)) from \(count) to \(newCount) tables",
        cure: "there must be 1 or more", backend: "sqlite")
    }
    let moving = Redistribution(table: table, key: key, from: count, to: newCount)
    try transaction { db in try moving.run(in: db) }
  }
}

/// The way of rows from so many tables into so many others.
private struct Redistribution {
  let table: String
  let key: String
  let oldCount: Int
  let newCount: Int

  init(table: String, key: String, from oldCount: Int, to newCount: Int) {
    (self.table, self.key, self.oldCount, self.newCount) = (table, key, oldCount, newCount)
  }

  private func name(_ place: Int) -> String { Partitions.name(table, place) }

  /// As ``Partitions/place(of:among:)`` has it.
  private var remainder: SQL {
    "((\(identifier: key) % \(newCount) + \(newCount)) % \(newCount))"
  }

  func run(in db: borrowing Connection) throws {
    let present = try Partitions.count(of: table, in: db)
    // Nothing was written yet: there is nothing to move.
    if present == 0 { return }
    guard present == oldCount else {
      throw failure(
        "the file has \(present) tables, not \(oldCount)", cure: "say from: \(present)")
    }
    try requireNoReferences(in: db)
    let total = try rows(of: oldCount, in: db)
    let greatest = try greatestKey(in: db)
    let columns = try db.columns(of: name(0)).filter { !$0.isGenerated }.map(\.name)
    for place in oldCount..<max(oldCount, newCount) { try make(place, in: db) }
    // What has arrived is where it belongs: a table that is emptied later keeps it.
    for old in 0..<oldCount { try empty(old, of: columns, in: db) }
    for place in newCount..<max(oldCount, newCount) {
      guard try rows(at: place, in: db) == 0 else { throw failure("rows were left behind") }
      try db.execute("DROP TABLE \(identifier: name(place))")
      try dropWords(of: place, in: db)
    }
    try keep(greatest, in: db)
    guard try rows(of: newCount, in: db) == total else {
      throw failure("not as many rows arrived as there were")
    }
  }

  /// A row that moves is deleted where it was, and what refers to it would go with it or be in the way.
  private func requireNoReferences(in db: borrowing Connection) throws {
    let parts = Set((0..<oldCount).map { SQLName.folded(name($0)) })
    for table in try db.schema() where table.kind == .table {
      let targets = try db.query("SELECT \"table\" FROM pragma_foreign_key_list(\(table.name))") {
        row in try row[0] as String
      }
      guard let target = targets.first(where: { parts.contains(SQLName.folded($0)) }) else {
        continue
      }
      throw failure(
        "\(quoted(table.name)) refers to \(quoted(target)), whose rows would be deleted there",
        cure: "take the reference away before, by making that table anew")
    }
  }

  private func empty(_ old: Int, of columns: [String], in db: borrowing Connection) throws {
    let list = columns.map { "\(identifier: $0)" as SQL }.joined(separator: ", ")
    for new in 0..<newCount where new != old {
      try db.execute(
        """
        INSERT INTO \(identifier: name(new)) (\(list))
        SELECT \(list) FROM \(identifier: name(old)) WHERE \(remainder) = \(new)
        """)
    }
    try db.execute("DELETE FROM \(identifier: name(old)) WHERE \(remainder) <> \(old)")
  }

  /// Drops the full-text table of a table that is gone, whose rows it would go on to ask for.
  private func dropWords(of place: Int, in db: borrowing Connection) throws {
    let words = FullTextDefinition.companionName(of: name(place))
    let content = "content=\(SchemaText.literal(name(place)))"
    let found = try db.schema().first { $0.kind == .table && $0.name == words }
    guard let sql = found?.sql, sql.hasPrefix("CREATE VIRTUAL TABLE"), sql.contains(content) else {
      return
    }
    try db.execute("DROP TABLE \(identifier: words)")
  }

  private func rows(at place: Int, in db: borrowing Connection) throws -> Int {
    try db.value("SELECT count(*) FROM \(identifier: name(place))", as: Int.self)
  }

  private func rows(of count: Int, in db: borrowing Connection) throws -> Int {
    try (0..<count).reduce(0) { sum, place in sum + (try rows(at: place, in: db)) }
  }

  /// Makes a table as the first one is.
  private func make(_ place: Int, in db: borrowing Connection) throws {
    let first = try db.schema().first { $0.kind == .table && $0.name == name(0) }
    let start = "CREATE TABLE \(SchemaText.quote(name(0)))"
    guard let sql = first?.sql, sql.hasPrefix(start) else {
      throw failure(
        "\(quoted(name(place))) is not there, and how \(quoted(name(0))) was made is not ours",
        cure: "make the new tables before")
    }
    let text = "CREATE TABLE \(SchemaText.quote(name(place)))\(sql.dropFirst(start.count))"
    try db.execute(SQL(unchecked: text))
  }

  // MARK: Keys that were used are never given again

  private var names: [String] { (0..<max(oldCount, newCount)).map(name) }

  private func greatestKey(in db: borrowing Connection) throws -> Int64? {
    guard try db.tableExists("sqlite_sequence") else { return nil }
    return try db.value(
      "SELECT max(seq) FROM sqlite_sequence WHERE name IN (\(names))", as: Int64?.self)
  }

  private func keep(_ greatest: Int64?, in db: borrowing Connection) throws {
    guard let greatest else { return }
    let changed = try db.execute(
      "UPDATE sqlite_sequence SET seq = max(seq, \(greatest)) WHERE name = \(name(0))")
    if changed == 0 {
      try db.execute("INSERT INTO sqlite_sequence(name, seq) VALUES (\(name(0)), \(greatest))")
    }
  }

  private func failure(_ reason: String, cure: String? = nil) -> StorageError {
    StorageError(
      .misuse, "cannot redistribute \(quoted(table)): \(reason)", cure: cure, backend: "sqlite")
  }
}
