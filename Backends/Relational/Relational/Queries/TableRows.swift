/// Rows of one table: a ``Table``, which has all of them, a ``TableQuery``, or several tables that are read as one.
///
/// What is read of a query is read of a table in the same way: `Book.table.sum(in: db) { $0.pages }`.
public protocol TableRows<Record>: Sendable {
  /// What a row is read as.
  associatedtype Record
  /// All of these rows, as a query.
  var all: TableQuery<Record> { get }
}

extension Table: TableRows {
  public var all: TableQuery<Record> { TableQuery(self) }
}

extension TableQuery: TableRows {
  public var all: Self { self }
}
