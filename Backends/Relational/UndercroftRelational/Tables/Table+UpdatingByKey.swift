public import UndercroftSQLite

// Updates by key, for tables whose primary key is a single column. The
// constraint `Key.Unwrapped == Key` makes the compiler reject an optional key.

extension Table {
  // MARK: One key

  /// Sets columns of the row with this key, and returns the number of
  /// updated rows: `update(key: 7, in: db) { $0.rating += 1 }`.
  @discardableResult
  public func update<Key: ColumnValue>(
    key: Key, in db: Connection, _ assignments: (inout Assignments<Record>) throws -> Void
  ) throws -> Int where Key.Unwrapped == Key {
    try prepareToWrite(in: db)
    return try set(
      Assignments.collected(by: assignments, of: self), ofKey: try value(ofKey: key), in: db)
  }

  /// Sets columns of the row with this key, and returns the
  /// updated record as stored, or `nil` if there is no such row.
  public func updateAndFetch<Key: ColumnValue>(
    key: Key, in db: Connection, _ assignments: (inout Assignments<Record>) throws -> Void
  ) throws -> Record? where Key.Unwrapped == Key {
    try returnedRecord { receive in
      try update(keys: CollectionOfOne(key), in: db, assignments, receive)
    }
  }

  /// Sets columns of the row with this key, and returns one stored value of the updated row, or
  /// `nil` if there is no such row or the stored value is NULL:
  /// `update(key: 7, returning: \.rating, in: db) { $0.rating += 1 }`.
  public func update<Key: ColumnValue, Value: ColumnValue>(
    key: Key, returning path: KeyPath<Record, Value>, in db: Connection,
    _ assignments: (inout Assignments<Record>) throws -> Void
  ) throws -> Value.Unwrapped? where Key.Unwrapped == Key {
    try returnedValue(of: path) { receive in
      try update(keys: CollectionOfOne(key), in: db, assignments, receive)
    }
  }

  // MARK: Several keys

  /// Sets columns of the rows with these keys, and returns the number of rows that were found.
  ///
  /// If one update fails, no row is changed.
  @discardableResult
  public func update<Keys: Sequence>(
    keys: Keys, in db: Connection,
    _ assignments: (inout Assignments<Record>) throws -> Void
  ) throws -> Int where Keys.Element: ColumnValue, Keys.Element.Unwrapped == Keys.Element {
    try prepareToWrite(in: db)
    let assignments = try Assignments.collected(by: assignments, of: self)
    return try db.transaction { db in
      var count = 0
      for key in try differentKeys(keys, in: db) {
        count += try set(assignments, ofKey: key, in: db)
      }
      return count
    }
  }

  /// Sets columns of the rows with these keys, and returns the updated
  /// records as stored, each once, in the order of `keys`.
  ///
  /// Keys without a row are ignored. If one update fails, no row is changed.
  public func updateAndFetch<Keys: Sequence>(
    keys: Keys, in db: Connection,
    _ assignments: (inout Assignments<Record>) throws -> Void
  ) throws -> [Record] where Keys.Element: ColumnValue, Keys.Element.Unwrapped == Keys.Element {
    try returnedRecords { receive in try update(keys: keys, in: db, assignments, receive) }
  }

  /// Sets columns of the rows with these keys, and returns one stored value of each updated row, in
  /// the order of `keys`.
  ///
  /// Keys without a row are ignored. If one update fails, no row is changed.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` if a stored value is NULL.
  public func update<Keys: Sequence, Value: ColumnValue>(
    keys: Keys, returning path: KeyPath<Record, Value>, in db: Connection,
    _ assignments: (inout Assignments<Record>) throws -> Void
  ) throws -> [Value.Unwrapped]
  where Keys.Element: ColumnValue, Keys.Element.Unwrapped == Keys.Element {
    try returnedValues(of: path) { receive in try update(keys: keys, in: db, assignments, receive) }
  }

  // MARK: Implementation

  /// Sets columns of the rows with these keys, and calls `body` with each row as stored.
  ///
  /// If `body` throws, no row is changed.
  private func update(
    keys: some Sequence<some ColumnValue>, in db: Connection,
    _ assignments: (inout Assignments<Record>) throws -> Void,
    _ body: (borrowing Row) throws -> Void
  ) throws {
    try prepareToWrite(in: db)
    let assignments = try Assignments.collected(by: assignments, of: self)
    try db.transaction { db in
      for key in try differentKeys(keys, in: db) {
        if let sql = try update(key, assignments, in: db) {
          try update(sql, in: db, body)
        } else {
          let columns = SQL(unchecked: "SELECT \(definition.columnList)")
          try db.forEach("\(columns) FROM \(identifier: name)\(statements.byKey)\(key)", body)
        }
      }
    }
  }

  /// Returns the keys without duplicates, so that each row is updated only once.
  ///
  /// A second update could change the result, because an assignment can depend on the current value
  /// of a row. A collation can make different strings match the same row. If there are several text
  /// keys, the result therefore contains the keys as they are stored, without keys that match no
  /// row.
  private func differentKeys(
    _ keys: some Sequence<some ColumnValue>, in db: Connection
  ) throws -> [SQLValue] {
    var seen: Set<SQLValue> = []
    var different: [SQLValue] = []
    for key in keys {
      let value = try self.value(ofKey: key)
      if seen.insert(value).inserted { different.append(value) }
    }
    guard definition.reads.keyType == .text, different.count > 1 else { return different }
    let name = DMLBuilder.names(statements.keyColumnIndices, of: definition)
    let sql = SQL(unchecked: "SELECT \(name) FROM \(definition.quotedName)") + statements.byKey
    var stored: [SQLValue] = []
    seen = []
    try db.prepare(sql + "?") { statement in
      for key in different {
        try statement.bind(key, at: 1)
        let found = try statement.fetchOne { row in try row.value(at: 0) }
        if let found, seen.insert(found).inserted { stored.append(found) }
      }
    }
    return stored
  }

  /// Sets columns of the row with this key, and returns the number of rows with this key, which is
  /// 0 or 1.
  ///
  /// If no assignment contains an SQL expression and no check of the table runs on updates, the
  /// cached statement for these columns is run with bound values. Otherwise, the statement is
  /// written for this call.
  func set(
    _ assignments: [Assignment], ofKey key: SQLValue, in db: Connection
  ) throws -> Int {
    guard !codec.checks.runsOnUpdates, !assignments.isEmpty,
      let text = statements.setting(assignments, of: definition)
    else {
      guard let sql = try update(key, assignments, in: db) else {
        return try exists(key, in: db) ? 1 : 0
      }
      return try update(sql, in: db)
    }
    return try run(text, in: db) { statement in
      var position: Int32 = 1
      for index in assignments.indices {
        try statement.bind(assignments[index].bound(in: definition) ?? .null, at: position)
        position += 1
      }
      try statement.bind(key, at: position)
    }
  }

  private func update(
    _ key: SQLValue, _ assignments: [Assignment], in db: Connection
  ) throws -> SQL? {
    if assignments.isEmpty { return nil }
    var sql = statements.setting
    assignments.write(to: &sql, of: definition)
    sql += statements.byKey
    sql += "\(key)"
    return try TableDefinition.ready(sql, reading: assignments.flatMap(\.tables), in: db)
  }

  private func exists(_ key: SQLValue, in db: Connection) throws -> Bool {
    let sql = "SELECT EXISTS (SELECT 1 FROM \(definition.quotedName)"
    return try db.fetchValue("\(SQL(unchecked: sql))\(statements.byKey)\(key))", as: Bool.self)
  }
}
