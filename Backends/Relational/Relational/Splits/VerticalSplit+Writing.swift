import UndercroftCore
public import UndercroftSQLite

// Each verb is one transaction over all tables. The key that the first table gives is the key in the others.

extension VerticalSplit {
  /// Inserts a record, a part into each table, and returns it as it is kept.
  @discardableResult
  public func insert(_ record: Record, in db: borrowing Connection) throws -> Record {
    let values = try table.values(of: record)
    return try kept(
      try db.transaction { db in
        let key = try base.insert(try base.values(values, key: nil), db)
        // What another table still has under the new key was left over by a record that is gone.
        for detail in details { _ = try detail.upsert(try detail.values(values, key: key), db) }
        return try whole(key, in: db)
      })
  }

  /// Inserts a record or, where there is one with its key, changes that; returns it as it is kept.
  @discardableResult
  public func upsert(_ record: Record, in db: borrowing Connection) throws -> Record {
    try kept(try write(try table.values(of: record), base.upsert, in: db))
  }

  /// Writes a record over the one with its key, and returns whether there was one.
  @discardableResult
  public func update(_ record: Record, in db: borrowing Connection) throws -> Bool {
    try write(try table.values(of: record), base.update, in: db) != nil
  }

  /// Inserts what a record of any type shows to the tables or, where there is one with its key, changes that; returns the whole as it is kept.
  ///
  /// What it does not name stays as it is.
  @_disfavoredOverload @discardableResult
  public func upsert(_ record: some VirtualRecord, in db: borrowing Connection) throws -> Record {
    try kept(try write(record, base.upsert, in: db))
  }

  /// Deletes the record with this key from all tables, and returns whether there was one.
  @discardableResult
  public func delete(_ key: some ColumnValue, in db: borrowing Connection) throws -> Bool {
    try delete(try key.sqlValue(), in: db)
  }

  /// Deletes a record, by its key, from all tables, and returns whether there was one.
  ///
  /// - Throws: ``StorageError/Code/misuse`` for a record without a key.
  @discardableResult
  public func delete(_ record: Record, in db: borrowing Connection) throws -> Bool {
    let key = try table.values(of: record)[try base.definition.onlyKey()]
    guard let key, key != .null else {
      throw StorageError(
        .misuse, "cannot delete a record of \(quoted(table.name)): its key is nil",
        cure: "go on with the record that its insertion returned", backend: "sqlite")
    }
    return try delete(key, in: db)
  }

  private func delete(_ key: SQLValue, in db: borrowing Connection) throws -> Bool {
    try db.transaction { db in
      // The first table last: the others may refer to it.
      for detail in details {
        _ = try detail.delete([try detail.definition.onlyKey(): key], db)
      }
      return try base.delete([try base.definition.onlyKey(): key], db)
    }
  }

  private func write(
    _ record: some VirtualRecord,
    _ writeBase: (ColumnValues, borrowing Connection) throws -> SQLValue?,
    in db: borrowing Connection
  ) throws -> Record? {
    let parts = [base.definition] + details.map(\.definition)
    for name in try record.values(for: table.definition).names
    where !parts.contains(where: { $0.column(name) != nil }) {
      throw StorageError(
        .misuse,
        "cannot write to \(quoted(table.name)): none of its tables has a column \(quoted(name))",
        cure: "they are \(parts.map { quoted($0.name) }.joined(separator: ", "))",
        backend: "sqlite")
    }
    return try db.transaction { db in
      guard let key = try writeBase(try base.values(record, key: nil), db) else { return nil }
      for detail in details { _ = try detail.upsert(try detail.values(record, key: key), db) }
      return try whole(key, in: db)
    }
  }

  private func whole(_ key: SQLValue?, in db: borrowing Connection) throws -> Record? {
    guard let key else { return nil }
    let column = SQL("\(identifier: try base.definition.onlyKey())")
    return try table.where { _ in Condition("\(column) = \(key)") }.first(in: db)
  }

  private func kept(_ record: Record?) throws -> Record {
    if let record { return record }
    throw StorageError(
      .vetoed, "cannot keep a record of \(quoted(table.name)): a trigger passed the row over",
      cure: "look at the schema's triggers for RAISE(IGNORE)", backend: "sqlite")
  }
}
