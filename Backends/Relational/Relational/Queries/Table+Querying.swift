public import UndercroftSQLite

// The beginnings of queries; what is not here begins with ``Table/all``.

extension Table {
  /// All rows, to be narrowed, sorted, counted, read in part.
  public var all: TableQuery<Record> { TableQuery(self) }

  /// Narrows what is read, changed or deleted: `Book.table.where { $0.rating >= 4 }`.
  public func `where`(_ condition: (Columns<Record>) -> Condition) -> TableQuery<Record> {
    all.where(condition)
  }

  /// Narrows by a condition of SQL: `Book.table.where("length(title) > \(least)")`.
  public func `where`(_ condition: SQL) -> TableQuery<Record> { all.where(condition) }

  /// All records in an order: `Book.table.order { $0.title }`.
  public func order(_ by: (Columns<Record>) -> some OrderingTerm) -> TableQuery<Record> {
    all.order(by)
  }

  /// Takes some values of each row: `Book.table.select { ($0.title, $0.rating) }`.
  public func select<each Value: SQLReadable & Sendable>(
    _ values: (Columns<Record>) -> (repeat SQLExpression<each Value>)
  ) -> Projection<(repeat each Value)> {
    all.select(values)
  }

  /// Takes one value of each row: `Book.table.select { $0.title }`.
  public func select<Value: SQLReadable & Sendable>(
    _ value: (Columns<Record>) -> SQLExpression<Value>
  ) -> Projection<Value> {
    all.select(value)
  }

  /// Returns how many rows there are.
  public func count(in db: borrowing Connection) throws -> Int { try all.count(in: db) }

  /// Returns the record with the greatest primary key, or `nil` when there is none.
  public func latest(in db: borrowing Connection) throws -> Record? { try all.latest(in: db) }

  /// Calls `body` with one record after the other, keeping none.
  public func forEach(in db: borrowing Connection, _ body: (Record) throws -> Void) throws {
    try all.forEach(in: db, body)
  }
}
