import UndercroftCore
public import UndercroftSQLite

extension Table {
  /// Returns what stands before a query so that it finds the table as it is declared.
  ///
  /// A writer brings it in line. A reader, which cannot, reads a table that is not there yet as empty, and a missing column as its default.
  func readiness(in db: borrowing Connection) throws -> SQL {
    guard let standIn = try definition.standIn(in: db) else { return "" }
    return "WITH \(standIn) "
  }

  /// The same for a statement that was written once.
  func ready(_ sql: SQL, in db: borrowing Connection) throws -> SQL {
    if db.isMarked(definition) { return sql }
    guard let standIn = try definition.standIn(in: db) else { return sql }
    return "WITH \(standIn) \(sql)"
  }

  /// Returns the record with this primary key, or `nil`.
  ///
  /// - Throws: ``StorageError/Code/misuse`` for a key that is `nil` or of another type than the column.
  public func find<Key: ColumnValue>(
    _ key: Key, in db: borrowing Connection
  ) throws -> Record? {
    let key = try value(ofKey: key)
    return try db.prepare(try ready(definition.reads.find, in: db)) { statement in
      try statement.bind(key, at: 1)
      return try statement.first { row in try codec.decode(row, 0) }
    }
  }

  /// Returns all records, in the order of their primary key.
  public func fetchAll(in db: borrowing Connection) throws -> [Record] {
    try db.query(try ready(definition.reads.all, in: db)) { row in try codec.decode(row, 0) }
  }

  // MARK: Keys

  private func check<Key: ColumnValue>(_ type: Key.Type) throws(StorageError) {
    let key = try definition.requireOneKey("find a row")
    if key.type != Key.columnType {
      throw StorageError(
        .misuse,
        "cannot find a row of \(quoted(name)): the key is \(Key.columnType.rawValue), and \(quoted(key.name)) is \(key.type.rawValue)",
        cure: "give a key of the type that is declared", backend: "sqlite")
    }
  }

  /// The value of a key that finds one row.
  func value<Key: ColumnValue>(ofKey key: Key) throws -> SQLValue {
    try check(Key.self)
    let value = try key.sqlValue()
    if value == .null {
      throw StorageError(
        .misuse, "cannot find a row of \(quoted(name)): the key is nil",
        cure: "give a key, or use where { … }", backend: "sqlite")
    }
    return value
  }
}
