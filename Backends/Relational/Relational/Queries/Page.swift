import UndercroftCore
import UndercroftSQLite

/// Some records of a query that are next to each other, and where they end.
public struct Page<Record> {
  /// The records, in the order of the query.
  public let records: [Record]
  /// Where the next page begins, whatever has come or gone meanwhile; `nil` while there was no record at all.
  public let end: PageEnd?
  /// Whether there were more records when it was read.
  public let hasMore: Bool
}

extension Page: Sendable where Record: Sendable {}
extension Page: Equatable where Record: Equatable {}

/// Where a page has ended: what its last record was sorted by, which may itself be gone by then.
public struct PageEnd: Sendable, Hashable {
  /// The order in SQL and the values in it, for another of which it says nothing.
  let order: String
  let orderValues: [SQLValue]
  /// The values of the terms of the order in the last record.
  let values: [SQLValue]

  init(of order: SQL, _ values: [SQLValue]) {
    self.order = order.text
    orderValues = order.arguments
    self.values = values
  }

  func isOf(_ order: SQL) -> Bool {
    self.order.isExactly(order.text) && orderValues == order.arguments
  }
}
