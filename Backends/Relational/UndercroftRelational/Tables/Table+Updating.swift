import UndercroftCore
public import UndercroftSQLite

extension Table {
  /// Updates the row with the key of a record, and returns whether the row exists.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the record has no key.
  @discardableResult
  public func update(_ record: Record, in db: Connection) throws -> Bool {
    try prepareToWrite(in: db)
    return try update(
      row(of: record), statements.valuePlaces, given: record, in: db)
  }

  /// Updates only some columns of the row with the key of a record, as in
  /// `update(book, only: \.rating, in: db)`, and returns whether the row exists.
  @discardableResult
  public func update(
    _ record: Record, only column: PartialKeyPath<Record>, _ columns: PartialKeyPath<Record>...,
    in db: Connection
  ) throws -> Bool {
    try prepareToWrite(in: db)
    return try update(row(of: record), try valuePlaces(of: [column] + columns), given: nil, in: db)
  }

  /// Updates the rows with the keys of records, and returns how many of them exist.
  ///
  /// If one update fails, no row is changed.
  ///
  /// - Parameters:
  ///   - records: The records to write.
  ///   - columns: The properties to write. If there are none, all columns are written.
  ///   - db: The connection to write to.
  /// - Throws: A ``BatchElementError`` that names the rejected record.
  @discardableResult
  public func update(
    contentsOf records: some Sequence<Record>, only columns: PartialKeyPath<Record>...,
    in db: Connection
  ) throws -> Int {
    try prepareToWrite(in: db)
    let places = try columns.isEmpty ? statements.valuePlaces : valuePlaces(of: columns)
    return try db.transaction { db in
      var count = 0
      try BatchElementError.forEach(records) { record in
        let given = columns.isEmpty ? record : nil
        if try update(row(of: record), places, given: given, in: db) { count += 1 }
      }
      return count
    }
  }

  /// Returns the indices of the columns of these properties,
  /// without those of the primary key, which only selects the row.
  private func valuePlaces(of columns: [PartialKeyPath<Record>]) throws(StorageError) -> [Int] {
    try places(of: columns).filter { !statements.keyPlaces.contains($0) }
  }

  private func update(
    _ row: RowValues<Record>, _ values: [Int], given: Record?, in db: Connection
  ) throws -> Bool {
    try requireKey(of: row)
    // If there is no column to set, only the existence of the row is reported.
    if values.isEmpty { return try exists(row, in: db) }
    let isWhole = values == statements.valuePlaces
    let keys = statements.keyPlaces
    let text =
      isWhole ? statements.update : DMLBuilder.update(definition, values, where: keys)
    if !codec.checks.asksOfUpdates {
      return try run(text, in: db) { try row.bind(values + keys, $0) }
    }
    return try writeOne(text + statements.returning, .update, given: given, in: db) { update in
      try row.bind(values + keys, update)
    } != nil
  }

  private func exists(_ row: RowValues<Record>, in db: Connection) throws -> Bool {
    let condition = DMLBuilder.equal(statements.keyPlaces, in: definition)
    let sql = "SELECT 1 FROM \(definition.quotedName) WHERE \(condition)"
    return try db.prepare(SQL(unchecked: sql)) { statement in
      try row.bind(statements.keyPlaces, statement)
      return try statement.first { _ in true } ?? false
    }
  }

  /// Runs a statement on the row with one key, and returns whether it changed a row.
  func run(
    _ text: String, in db: Connection, bind: (borrowing Statement) throws -> Void
  ) throws -> Bool {
    try db.prepare(SQL(unchecked: text)) { statement in
      try bind(statement)
      return try statement.runCountingChanges() > 0
    }
  }

  /// Verifies that the table has a primary key, and that the row has a value for it.
  ///
  /// - Throws: ``StorageError/Code/misuse`` otherwise.
  func requireKey(of row: RowValues<Record>) throws(StorageError) {
    guard !statements.keyPlaces.isEmpty else {
      throw StorageError.table(
        "cannot find the row of a record: \(quoted(name)) has no primary key",
        suggestion: "declare one, or use where { … }")
    }
    for place in statements.keyPlaces where !row.places.contains(place) || row.isNil(place) {
      throw StorageError.table(
        "cannot find the row of a record: its \(quoted(definition.columns[place].name)) is nil",
        suggestion: "insert it first, and use the record that returns")
    }
  }
}
