public import UndercroftSQLite

extension VirtualRecord {
  /// Reads the row with this key into the record, and returns whether
  /// the row exists: `try card.assign(from: Book.table, key: 7, in: db)`.
  ///
  /// To read an object with parts in several tables, call this method once for each table.
  /// Properties without a column in the table remain unchanged.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the key is `nil`, or if the primary key is not a
  ///   single column of the type of the key.
  @discardableResult
  public mutating func assign<Record>(
    from table: Table<Record>, key: some ColumnValue, in db: Connection
  ) throws -> Bool {
    try assignFirst(of: try table.query(for: key), in: db)
  }

  /// Reads the first row of a query into the record, and returns whether there is a row.
  @discardableResult
  public mutating func assign<Record>(
    from query: TableQuery<Record>, in db: Connection
  ) throws -> Bool {
    try assignFirst(of: query, in: db)
  }

  fileprivate mutating func assignFirst<Record>(
    of query: TableQuery<Record>, in db: Connection
  ) throws -> Bool {
    var found: ColumnValues?
    try query.one.forEachValues(in: db) { found = $0 }
    guard let found else { return false }
    try assign(found, from: query.table.definition)
    return true
  }
}

extension VirtualRecord where Self: AnyObject {
  /// Reads the row with this key into the object, and returns whether the row exists.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the key is `nil`, or if the primary key is not a
  ///   single column of the type of the key.
  @discardableResult
  public func assign<Record>(
    from table: Table<Record>, key: some ColumnValue, in db: Connection
  ) throws -> Bool {
    var object = self
    return try object.assignFirst(of: try table.query(for: key), in: db)
  }

  /// Reads the first row of a query into the object, and returns whether there is a row.
  @discardableResult
  public func assign<Record>(
    from query: TableQuery<Record>, in db: Connection
  ) throws -> Bool {
    var object = self
    return try object.assignFirst(of: query, in: db)
  }
}

extension Table {
  /// Returns a query of the row with the given primary key.
  fileprivate func query(for key: some ColumnValue) throws -> TableQuery<Record> {
    let key = Condition("\(identifier: try definition.onlyKey()) = \(try value(ofKey: key))")
    return self.where { _ in key }
  }
}
