public import UndercroftSQLite

extension VirtualRecord {
  /// Takes what a table has under a key, and returns whether there is such a row: `try card.take(from: Book.table, key: 7, in: db)`.
  ///
  /// An object of several tables is read by one call each; what a table does not show stays as it is.
  ///
  /// - Throws: ``StorageError/Code/misuse`` for a key that is `nil` or of another type than the column.
  @discardableResult
  public mutating func take<Record>(
    from table: Table<Record>, key: some ColumnValue, in db: borrowing Connection
  ) throws -> Bool {
    try takeFirst(of: try table.query(for: key), in: db)
  }

  /// Takes what a table shows of the first row of a query, and returns whether there is one.
  @discardableResult
  public mutating func take<Record>(
    from query: TableQuery<Record>, in db: borrowing Connection
  ) throws -> Bool {
    try takeFirst(of: query, in: db)
  }

  fileprivate mutating func takeFirst<Record>(
    of query: TableQuery<Record>, in db: borrowing Connection
  ) throws -> Bool {
    var found: ColumnValues?
    try query.one.forEachValues(in: db) { found = $0 }
    guard let found else { return false }
    try take(found, from: query.table.definition)
    return true
  }
}

extension VirtualRecord where Self: AnyObject {
  /// Takes what a table has under a key, and returns whether there is such a row.
  @discardableResult
  public func take<Record>(
    from table: Table<Record>, key: some ColumnValue, in db: borrowing Connection
  ) throws -> Bool {
    var object = self
    return try object.takeFirst(of: try table.query(for: key), in: db)
  }

  /// Takes what a table shows of the first row of a query, and returns whether there is one.
  @discardableResult
  public func take<Record>(
    from query: TableQuery<Record>, in db: borrowing Connection
  ) throws -> Bool {
    var object = self
    return try object.takeFirst(of: query, in: db)
  }
}

extension Table {
  /// The row with a key.
  fileprivate func query(for key: some ColumnValue) throws -> TableQuery<Record> {
    let key = Condition("\(identifier: try definition.onlyKey()) = \(try value(ofKey: key))")
    return self.where { _ in key }
  }
}
