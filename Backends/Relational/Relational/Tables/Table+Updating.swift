import UndercroftCore
public import UndercroftSQLite

extension Table {
  /// Writes a record over the row with its key, and returns whether there was one.
  ///
  /// - Throws: ``StorageError/Code/misuse`` for a record without a key.
  @discardableResult
  public func update(_ record: Record, in db: borrowing Connection) throws -> Bool {
    _ = try readiness(in: db)
    let keys = try keyPlaces(of: record)
    let values = definition.writtenPlaces.filter { !keys.contains($0) }
    // A table of keys alone has nothing to change.
    if values.isEmpty { return try exists(record, in: db) }
    let sql =
      "UPDATE \(definition.quotedName) SET \(assignments(values, ", ")) WHERE \(assignments(keys, " AND "))"
    return try run(sql, record, values + keys, in: db) > 0
  }

  /// Deletes the row with the key of a record, and returns whether there was one.
  @discardableResult
  public func delete(_ record: Record, in db: borrowing Connection) throws -> Bool {
    _ = try readiness(in: db)
    let keys = try keyPlaces(of: record)
    let sql = "DELETE FROM \(definition.quotedName) WHERE \(assignments(keys, " AND "))"
    return try run(sql, record, keys, in: db) > 0
  }

  /// Deletes every row, and begins to count keys anew.
  public func truncate(in db: borrowing Connection) throws {
    _ = try readiness(in: db)
    try db.execute("DELETE FROM \(identifier: name)")
    if definition.columns.contains(where: \.isAutoincrementing) {
      try db.execute("DELETE FROM sqlite_sequence WHERE name = \(name)")
    }
  }

  private func exists(_ record: Record, in db: borrowing Connection) throws -> Bool {
    let keys = try keyPlaces(of: record)
    let sql = "SELECT 1 FROM \(definition.quotedName) WHERE \(assignments(keys, " AND "))"
    return try db.prepare(SQL(unchecked: sql)) { statement in
      try codec.bind(record, keys, to: statement)
      return try statement.first { _ in true } ?? false
    }
  }

  private func run(
    _ sql: String, _ record: Record, _ places: [Int], in db: borrowing Connection
  ) throws -> Int {
    let before = db.totalChangeCount
    try db.prepare(SQL(unchecked: sql)) { statement in
      try codec.bind(record, places, to: statement)
      try statement.run()
    }
    return db.totalChangeCount - before
  }

  private func assignments(_ places: [Int], _ separator: String) -> String {
    places.map { "\(SchemaText.quote(definition.columns[$0].name)) = ?" }
      .joined(separator: separator)
  }

  /// The places of the key's columns, all of which the record must have.
  private func keyPlaces(of record: Record) throws(StorageError) -> [Int] {
    let places = definition.columns.indices.filter { definition.columns[$0].isPrimaryKey }
    guard !places.isEmpty else {
      throw StorageError(
        .misuse, "cannot find the row of a record: \(quoted(name)) has no primary key",
        cure: "declare one, or use where { … }", backend: "sqlite")
    }
    for place in places where codec.isNil(place, of: record) {
      throw StorageError(
        .misuse,
        "cannot find the row of a record: its \(quoted(definition.columns[place].name)) is nil",
        cure: "insert it first, and go on with the record that returns", backend: "sqlite")
    }
    return places
  }
}
