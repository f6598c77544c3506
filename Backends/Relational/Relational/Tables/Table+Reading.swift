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
    try check(Key.self, isAlone: true)
    return try db.prepare(try ready(definition.reads.find, in: db)) { statement in
      try bind(key, at: 1, to: statement)
      return try statement.first { row in try codec.decode(row, 0) }
    }
  }

  /// Returns all records, in the order of their primary key.
  public func fetchAll(in db: borrowing Connection) throws -> [Record] {
    try db.query(try ready(definition.reads.all, in: db)) { row in try codec.decode(row, 0) }
  }

  /// Narrows what is read, changed or deleted: `Book.table.where { $0.rating >= 4 }`.
  public func `where`(_ condition: (Columns<Record>) -> Condition) -> TableQuery<Record> {
    TableQuery(self).where(condition)
  }

  /// All records in an order: `Book.table.order { $0.title }`.
  public func order<Value>(_ by: (Columns<Record>) -> Expression<Value>) -> TableQuery<Record> {
    TableQuery(self).order(by)
  }

  /// Returns how many rows there are.
  public func count(in db: borrowing Connection) throws -> Int {
    try TableQuery(self).count(in: db)
  }

  // MARK: Keys

  private func check<Key: ColumnValue>(_ type: Key.Type, isAlone: Bool) throws(StorageError) {
    let keys = definition.keyColumns
    guard keys.count == 1, let key = keys.first else {
      throw StorageError(
        .misuse,
        "cannot find a row of \(quoted(name)) by one value: its primary key has \(keys.count) columns",
        cure: "use where { … }", backend: "sqlite")
    }
    if key.type != Key.columnType {
      throw StorageError(
        .misuse,
        "cannot find a row of \(quoted(name)): the key is \(Key.columnType.rawValue), and \(quoted(key.name)) is \(key.type.rawValue)",
        cure: "give a key of the type that is declared", backend: "sqlite")
    }
  }

  private func bind<Key: ColumnValue>(
    _ key: Key, at position: Int, to statement: borrowing Statement
  ) throws {
    let value = try key.sqlValue()
    if value == .null {
      throw StorageError(
        .misuse, "cannot find a row of \(quoted(name)): the key is nil",
        cure: "give a key, or use where { … }", backend: "sqlite")
    }
    try statement.bind(value, at: position)
  }
}
