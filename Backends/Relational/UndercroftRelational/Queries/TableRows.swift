public import UndercroftSQLite

/// Rows of one table: a ``Table`` with all its rows, a ``TableQuery``, or several tables that are
/// read as one table.
///
/// Every operation that reads the rows of a query is also available on a table and, as a
/// static method, on the record type: `Book.fetchValue(in: db) { $0.pages.sum }`.
public protocol TableRows<Record>: Sendable {
  /// The type that each row is decoded as.
  associatedtype Record
  /// The query that selects all rows of this value, such as all rows of a ``Table``.
  var all: TableQuery<Record> { get }
}

extension Table: TableRows {
  public var all: TableQuery<Record> { TableQuery(self) }
}

extension TableQuery: TableRows {
  public var all: Self { self }
}

extension TableRows {
  /// Returns a query of the rows that also satisfy `condition`.
  public func `where`(_ condition: (Columns<Record>) -> Condition) -> TableQuery<Record> {
    adding(condition(all.table.columns))
  }

  /// Returns a query of the rows that also satisfy a condition in
  /// SQL: `where("length(title) > \(least)")`.
  public func `where`(_ condition: SQL) -> TableQuery<Record> { adding(Condition(condition)) }

  private func adding(_ further: Condition) -> TableQuery<Record> {
    all.with { $0.condition = $0.condition.map { $0 && further } ?? further }
  }

  /// Returns a query that also sorts by `term`, after the existing sort terms:
  /// `order { $0.rating.descending }.order { $0.title }`.
  public func order(
    by term: (Columns<Record>) -> some SQLOrderingTerm
  ) -> TableQuery<Record> {
    all.with { $0.orders.append(term(all.table.columns).ordering) }
  }

  /// Returns a query of at most `count` rows.
  ///
  /// - Parameters:
  ///   - count: The maximum number of rows.
  ///   - offset: The number of rows to skip first, or `nil` to retain the previous offset.
  public func limit(_ count: Int, offset: Int? = nil) -> TableQuery<Record> {
    all.with { ($0.limit, $0.offset) = (count, offset ?? $0.offset) }
  }

  /// Returns a query that skips the first `count` rows.
  public func offset(_ count: Int) -> TableQuery<Record> { all.with { $0.offset = count } }

  /// Returns a query that omits duplicate rows: rows that are equal in all selected values.
  public func distinct() -> TableQuery<Record> { all.with { $0.isDistinct = true } }

  /// The `SELECT` statement that reads all columns of the rows, as a command, for example to print
  /// its SQL.
  public var command: QueryCommand { QueryCommand(all.select(all.allColumns)) }
}
