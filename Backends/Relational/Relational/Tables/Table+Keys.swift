public import UndercroftSQLite

// One row or several, named by their keys: for tables whose primary key is one column.

extension Table {
  /// Sets columns of the row with this key, and returns whether there is one: `update(id, in: db) { [$0.rating.set(to: 5)] }`.
  @discardableResult
  public func update(
    _ key: some ColumnValue, in db: borrowing Connection,
    _ assignments: (Columns<Record>) -> [Assignment]
  ) throws -> Bool {
    try begin(in: db)
    return try set(assignments(settableColumns), ofKey: key, in: db)
  }

  /// Sets columns of the row with this key, and returns the record as it is kept then; `nil` when there is none.
  public func update(
    returning key: some ColumnValue, in db: borrowing Connection,
    _ assignments: (Columns<Record>) -> [Assignment]
  ) throws -> Record? {
    try begin(in: db)
    guard let sql = try update(key, assignments(settableColumns)) else {
      return try find(key, in: db)
    }
    var kept: Record?
    try update(sql, in: db) { row in kept = try codec.decode(row, 0) }
    return kept
  }

  /// Sets columns of the rows with these keys, all or none, and returns how many there are.
  @discardableResult
  public func update(
    keys: some Sequence<some ColumnValue>, in db: borrowing Connection,
    _ assignments: (Columns<Record>) -> [Assignment]
  ) throws -> Int {
    try begin(in: db)
    let assignments = assignments(settableColumns)
    return try db.transaction { db in
      var count = 0
      // Each once: an assignment may count on what was there.
      var seen: Set<SQLValue> = []
      for key in keys where seen.insert(try key.sqlValue()).inserted {
        if try set(assignments, ofKey: key, in: db) { count += 1 }
      }
      return count
    }
  }

  /// Deletes the row with this key, and returns whether there was one.
  @discardableResult
  public func delete(_ key: some ColumnValue, in db: borrowing Connection) throws -> Bool {
    try delete(keys: CollectionOfOne(key), in: db) > 0
  }

  /// Deletes the rows with these keys, all or none, and returns how many there were.
  @discardableResult
  public func delete(
    keys: some Sequence<some ColumnValue>, in db: borrowing Connection
  ) throws -> Int {
    try begin(in: db)
    return try db.transaction { db in
      var count = 0
      for key in keys {
        let key = try value(ofKey: key)
        if try run(statements.delete, in: db, bind: { try $0.bind(key, at: 1) }) { count += 1 }
      }
      return count
    }
  }

  /// Sets columns of a row, by values that are bound to a statement that is remembered if that is all there is to do.
  private func set(
    _ assignments: [Assignment], ofKey key: some ColumnValue, in db: borrowing Connection
  ) throws -> Bool {
    guard !codec.checks.asksOfUpdates, !assignments.isEmpty,
      let text = statements.setting(assignments)
    else {
      guard let sql = try update(key, assignments) else { return try exists(key, in: db) }
      return try update(sql, in: db) > 0
    }
    let key = try value(ofKey: key)
    return try run(text, in: db) { statement in
      var position: Int32 = 1
      for place in assignments.indices {
        try statement.bind(assignments[place].bound(in: definition) ?? .null, at: position)
        position += 1
      }
      try statement.bind(key, at: position)
    }
  }

  private func update(_ key: some ColumnValue, _ assignments: [Assignment]) throws -> SQL? {
    let key = try value(ofKey: key)
    if assignments.isEmpty { return nil }
    var sql = statements.setting
    assignments.write(to: &sql, of: definition)
    sql += statements.byKey
    sql += "\(key)"
    return sql
  }

  private func exists(_ key: some ColumnValue, in db: borrowing Connection) throws -> Bool {
    let sql = "SELECT EXISTS (SELECT 1 FROM \(definition.quotedName)"
    return try db.value("\(SQL(unchecked: sql))\(statements.byKey)\(key))", as: Bool.self)
  }
}
