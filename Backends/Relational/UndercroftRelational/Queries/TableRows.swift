/// Rows of one table: a ``Table`` with all its rows, a
/// ``TableQuery``, or several tables that are read as one.
///
/// Every operation that reads a query is also available on a
/// table: `Book.table.sum(in: db) { $0.pages }`.
public protocol TableRows<Record>: Sendable {
  /// The type that each row is decoded as.
  associatedtype Record
  /// A query of all of these rows.
  var all: TableQuery<Record> { get }
}

extension Table: TableRows {
  public var all: TableQuery<Record> { TableQuery(self) }
}

extension TableQuery: TableRows {
  public var all: Self { self }
}
