public import UndercroftSQLite

extension TableRows {
  /// Keeps the rows that fulfil `condition` as well.
  public func `where`(_ condition: (Columns<Record>) -> Condition) -> TableQuery<Record> {
    adding(condition(all.table.columns))
  }

  /// Keeps the rows that fulfil a condition of SQL as well: `where("length(title) > \(least)")`.
  public func `where`(_ condition: SQL) -> TableQuery<Record> { adding(Condition(condition)) }

  private func adding(_ further: Condition) -> TableQuery<Record> {
    all.with { $0.condition = $0.condition.map { $0 && further } ?? further }
  }

  /// Sorts by an expression, after those given before: `order { $0.rating.descending }.order { $0.title }`.
  public func order(_ by: (Columns<Record>) -> some OrderingTerm) -> TableQuery<Record> {
    all.with { $0.orders.append(by(all.table.columns).ordering) }
  }

  /// Takes at most so many rows, after `offset` others, or as many as were left out before when none is given.
  public func limit(_ count: Int, offset: Int? = nil) -> TableQuery<Record> {
    all.with { ($0.limit, $0.offset) = (count, offset ?? $0.offset) }
  }

  /// Leaves out so many rows.
  public func offset(_ count: Int) -> TableQuery<Record> { all.with { $0.offset = count } }

  /// Takes rows that are the same in all that is asked of them but once.
  public func distinct() -> TableQuery<Record> { all.with { $0.isDistinct = true } }

  /// What it says in SQL: all columns of its rows.
  public var command: QueryCommand { QueryCommand(all.select(all.allColumns)) }
}
