import UndercroftCore
public import UndercroftSQLite

extension Table {
  /// Returns the records that a query of SQL finds, whose columns are taken by their names, in whatever order.
  ///
  /// Columns that are not the table's are left aside. The names are compared without regard to the case of ASCII letters.
  ///
  /// - Throws: ``StorageError/Code/misuse`` when a column of the table is missing, or occurs twice, as it does after a join of tables that
  ///   have it both.
  public func fetchAll(sql: SQL, in db: borrowing Connection) throws -> [Record] {
    var places: [Int]?
    return try db.query(try prepared(sql, in: db)) { row in
      let found = try places ?? self.places(in: row.names)
      places = found
      return try codec.decodePlaces(row, found)
    }
  }

  /// Returns the first record that a query of SQL finds, or `nil` when it finds none; as ``fetchAll(sql:in:)``.
  public func first(sql: SQL, in db: borrowing Connection) throws -> Record? {
    try db.first(try prepared(sql, in: db)) { row in
      try codec.decodePlaces(row, places(in: row.names))
    }
  }

  /// Puts the common table expressions before a query, which may have a `WITH` of its own.
  ///
  /// The query speaks of a derived table by its declared name.
  private func prepared(_ sql: SQL, in db: borrowing Connection) throws -> SQL {
    guard var needed = try definition.standIn(in: db) else { return sql }
    if definition.isDerived {
      let whole = SQL(unchecked: definition.quotedName)
      needed += ", \(identifier: name) AS (SELECT * FROM \(whole))"
    }
    return sql.beginning(with: needed)
  }

  /// Where the columns stand, in the order of their declaration.
  private func places(in names: [String]) throws(StorageError) -> [Int] {
    let names = names.map(SQLName.folded)
    var places: [Int] = []
    for column in definition.columns {
      let found = names.indices.filter { names[$0] == SQLName.folded(column.name) }
      guard let place = found.first, found.count == 1 else {
        throw StorageError(
          .misuse,
          "cannot make records of \(quoted(name)): the query returns the column \(quoted(column.name)) \(found.isEmpty ? "nowhere" : "\(found.count) times")",
          cure: found.isEmpty ? "select it" : "select one of them, or tell them apart with AS",
          backend: "sqlite")
      }
      places.append(place)
    }
    return places
  }
}
